import { integer, string } from '@oclif/core/flags'

const helpGroup = 'MAIL'

export const smtpFlags = {
  'smtp-port': integer({
    description: 'Port for mail that becomes messages; 0 picks a free one.',
    defaultHelp: async () => 'no mail',
    env: 'SMSRELAY_SMTP_PORT',
    helpValue: 'PORT',
    helpGroup,
  }),
  'smtp-host': string({
    description: 'Address for incoming mail.',
    defaultHelp: async () => 'that of --host',
    env: 'SMSRELAY_SMTP_HOST',
    helpValue: 'ADDRESS',
    helpGroup,
  }),
  'smtp-domain': string({
    description: 'Domain of the addresses; other mail is rejected.',
    defaultHelp: async () => 'the host of --base-url',
    env: 'SMSRELAY_SMTP_DOMAIN',
    helpValue: 'NAME',
    helpGroup,
  }),
  'smtp-cert': string({
    description: 'Certificate with its chain (PEM), for STARTTLS.',
    env: 'SMSRELAY_SMTP_CERT',
    helpValue: 'FILE',
    helpGroup,
  }),
  'smtp-key': string({
    description: 'Private key of the certificate (PEM).',
    env: 'SMSRELAY_SMTP_KEY',
    helpValue: 'FILE',
    helpGroup,
  }),
}

export function toSmtpSettings(flags: {
  readonly 'smtp-port'?: number | undefined
  readonly 'smtp-host'?: string | undefined
  readonly 'smtp-domain'?: string | undefined
  readonly 'smtp-cert'?: string | undefined
  readonly 'smtp-key'?: string | undefined
}) {
  return {
    smtpPort: flags['smtp-port'],
    smtpHost: flags['smtp-host'],
    smtpDomain: flags['smtp-domain'],
    smtpCert: flags['smtp-cert'],
    smtpKey: flags['smtp-key'],
  }
}
