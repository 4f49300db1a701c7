import { integer, string } from '@oclif/core/flags'

const helpGroup = 'MAIL'

/** The flags of `serve` that are about mail. */
export const smtpFlags = {
  'smtp-port': integer({
    description: 'Port to take mail on, which becomes texts; 0 picks a free one. [default: none]',
    env: 'SMSRELAY_SMTP_PORT',
    helpGroup,
  }),
  'smtp-host': string({
    description: 'Address to take mail on. [default: that of --host]',
    env: 'SMSRELAY_SMTP_HOST',
    helpGroup,
  }),
  'smtp-domain': string({
    description:
      'What stands behind the @ of addresses; mail to other domains is refused. [default: the name in --base-url]',
    env: 'SMSRELAY_SMTP_DOMAIN',
    helpValue: 'NAME',
    helpGroup,
  }),
  'smtp-cert': string({
    description: 'Certificate with its chain, PEM; with it mail may come encrypted (STARTTLS).',
    env: 'SMSRELAY_SMTP_CERT',
    helpValue: 'FILE',
    helpGroup,
  }),
  'smtp-key': string({
    description: 'Key of the certificate, PEM.',
    env: 'SMSRELAY_SMTP_KEY',
    helpValue: 'FILE',
    helpGroup,
  }),
}

/** The settings that these flags name. */
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
