import { RelayError } from '../../errors.js'
import { requireInteger, requireLimits } from './require-integer.js'
import { parseTlsConfig, type TlsConfig } from './tls-config.js'

export interface SmtpSettings {
  /** Setting: port of the mail server; 0 picks a free one. @default no mail server */
  readonly smtpPort?: number | undefined
  /** Setting: port of the mail server for connections that begin with TLS. @default none */
  readonly smtpTlsPort?: number | undefined
  /** Setting: domain of the mailboxes. @default the host name of `baseUrl`, or `localhost` */
  readonly smtpDomain?: string | undefined
  /**
   * File with the certificate and its chain, PEM; it enables STARTTLS. @default `tlsCert`
   */
  readonly smtpCert?: string | undefined
  readonly smtpKey?: string | undefined
  /** Setting: MiB of a mail that the mail server accepts. @default 25 */
  readonly smtpMaxSize?: number | undefined
  /** Setting: whether a mail server on this machine names its clients (XFORWARD). @default false */
  readonly smtpXForward?: boolean | undefined
  readonly smtpLimits?: Partial<MailLimits> | undefined
}

export interface MailLimits {
  readonly recipients: number
  readonly connections: number
  /** Setting: SMTP connections at once from one address (of IPv6 its /64). */
  readonly connectionsEach: number
  /** Setting: longest silence of a mail client. */
  readonly idleTimeout: number
  /** Setting: longest duration of an SMTP connection. */
  readonly lifetime: number
  /**
   * Setting: unknown mail recipients that an address can name in an hour; each further one ends its
   * connection.
   */
  readonly unknown: number
  /** Setting: delay of the mail server's reply to each unknown recipient. */
  readonly holdUnknown: number
}

export const mailLimits: MailLimits = {
  recipients: 20,
  connections: 100,
  connectionsEach: 50,
  idleTimeout: 60_000,
  lifetime: 10 * 60_000,
  unknown: 10,
  holdUnknown: 5000,
}

export interface SmtpConfig {
  readonly port: number | undefined
  readonly tlsPort: number | undefined
  readonly host: string
  readonly domain: string
  readonly tls: TlsConfig | undefined
  /** Checked setting: bytes of a mail. */
  readonly maxSize: number
  readonly xForward: boolean
  readonly limits: MailLimits
}

/** Checks the settings of the mail server. Throws `usage`. */
export function parseSmtpConfig(
  settings: SmtpSettings,
  relay: {
    readonly host: string
    readonly baseUrl: string | undefined
    readonly tls: TlsConfig | undefined
  },
): SmtpConfig {
  const { smtpPort: port, smtpTlsPort: tlsPort, smtpDomain, smtpMaxSize = 25 } = settings
  if (port !== undefined) requireInteger('SMTP port', port, 0, 65_535)
  if (tlsPort !== undefined) requireInteger('smtp-tls-port', tlsPort, 0, 65_535)
  const tls = parseTlsConfig('smtp', settings.smtpCert, settings.smtpKey) ?? relay.tls
  if (tlsPort !== undefined && tls === undefined) {
    throw new RelayError('usage', '--smtp-tls-port needs a certificate.', {
      hint: 'Set --smtp-cert and --smtp-key, or --tls-cert and --tls-key.',
    })
  }
  return {
    port,
    tlsPort,
    host: relay.host,
    domain: smtpDomain === undefined ? getDefaultDomain(relay.baseUrl) : parseDomain(smtpDomain),
    tls,
    maxSize: requireInteger('smtp-max-size', smtpMaxSize, 1, 1024) * 1024 * 1024,
    xForward: settings.smtpXForward ?? false,
    limits: requireLimits('SMTP limit', { ...mailLimits, ...settings.smtpLimits }, 0),
  }
}

export function hasMailServer({ port, tlsPort }: Pick<SmtpConfig, 'port' | 'tlsPort'>): boolean {
  return port !== undefined || tlsPort !== undefined
}

function getDefaultDomain(baseUrl: string | undefined): string {
  const host = baseUrl === undefined ? '' : new URL(baseUrl).hostname
  return /^[a-z]|[a-z]$/.test(host) ? host : 'localhost'
}

function parseDomain(text: string): string {
  const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i
  if (text.length <= 200 && text.split('.').every(each => label.test(each))) {
    return text.toLowerCase()
  }
  throw new RelayError('usage', `The SMTP domain ${text} must be a name such as sms.example.com.`)
}
