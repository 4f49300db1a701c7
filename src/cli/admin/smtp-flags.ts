import { boolean, string } from '@oclif/core/flags'
import { integer } from './integer-flag.js'

const helpGroup = 'MAIL'

export const smtpFlags = {
  'smtp-port': integer({
    description: 'Port for mail that becomes messages; 0 picks a free one.',
    defaultHelp: async () => 'no mail',
    env: 'SMSRELAY_SMTP_PORT',
    helpValue: 'PORT',
    helpGroup,
  }),
  'smtp-tls-port': integer({
    description: 'Port for mail over connections that begin with TLS; it needs a certificate.',
    defaultHelp: async () => 'none',
    env: 'SMSRELAY_SMTP_TLS_PORT',
    helpValue: 'PORT',
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
    description: 'Certificate with its chain (PEM), for TLS.',
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
  'smtp-max-size': integer({
    description: 'Largest mail in MiB; attached files are dropped while they arrive.',
    env: 'SMSRELAY_SMTP_MAX_SIZE',
    helpValue: 'MIB',
    default: 25,
    helpGroup,
  }),
  'smtp-xforward': boolean({
    description: 'Let a mail server on this machine name its clients (XFORWARD).',
    env: 'SMSRELAY_SMTP_XFORWARD',
    helpGroup,
  }),
  'mail-relay': string({
    description: 'SMTP server for alerts of accounts; set it in the environment if it has a login.',
    defaultHelp: async () => 'no alerts by e-mail',
    env: 'SMSRELAY_MAIL_RELAY',
    helpValue: 'URL',
    helpGroup,
  }),
  'mail-from': string({
    description: 'Sender of alerts.',
    defaultHelp: async () => 'smsrelay@ and --smtp-domain',
    env: 'SMSRELAY_MAIL_FROM',
    helpValue: 'EMAIL',
    helpGroup,
  }),
}

export function toSmtpSettings(flags: {
  readonly 'smtp-port'?: number | undefined
  readonly 'smtp-tls-port'?: number | undefined
  readonly 'smtp-domain'?: string | undefined
  readonly 'smtp-cert'?: string | undefined
  readonly 'smtp-key'?: string | undefined
  readonly 'smtp-max-size'?: number
  readonly 'smtp-xforward'?: boolean
  readonly 'mail-relay'?: string | undefined
  readonly 'mail-from'?: string | undefined
}) {
  return {
    smtpPort: flags['smtp-port'],
    smtpTlsPort: flags['smtp-tls-port'],
    smtpDomain: flags['smtp-domain'],
    smtpCert: flags['smtp-cert'],
    smtpKey: flags['smtp-key'],
    smtpMaxSize: flags['smtp-max-size'],
    smtpXForward: flags['smtp-xforward'],
    mailRelay: flags['mail-relay'],
    mailFrom: flags['mail-from'],
  }
}
