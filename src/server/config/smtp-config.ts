import { type MailLimits, mailLimits } from '../../domain/limits.js'
import { RelayError } from '../../errors.js'

/** How mail is taken. */
export interface SmtpSettings {
  /** Port for mail; 0 picks a free one. @default no mail is taken */
  readonly smtpPort?: number | undefined
  /** Address to take mail on. @default `host` */
  readonly smtpHost?: string | undefined
  /** What stands behind the @ of the addresses. @default the host name of `baseUrl`, else `localhost` */
  readonly smtpDomain?: string | undefined
  /** File with the certificate and its chain, PEM; with it mail may come by STARTTLS. */
  readonly smtpCert?: string | undefined
  /** File with the key of the certificate, PEM. */
  readonly smtpKey?: string | undefined
  /** What mail may take of the service; whatever is left out has its default. Times in milliseconds. */
  readonly smtpLimits?: Partial<MailLimits> | undefined
}

/** Checked settings of {@link SmtpSettings}. */
export interface SmtpConfig {
  /** Undefined: no mail is taken. */
  readonly port: number | undefined
  readonly host: string
  readonly domain: string
  /** Files with certificate and key. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined
  readonly limits: MailLimits
}

/** Checks the settings for mail. Throws `usage`. */
export function parseSmtpConfig(
  settings: SmtpSettings,
  service: { readonly host: string; readonly baseUrl: string | undefined },
): SmtpConfig {
  const { smtpPort: port, smtpHost, smtpDomain } = settings
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= 65_535)) {
    throw new RelayError('usage', 'The SMTP port must be an integer, 0 to 65535.')
  }
  if (smtpHost === '') throw new RelayError('usage', 'The SMTP host must not be empty.')
  return {
    port,
    host: smtpHost ?? service.host,
    domain: smtpDomain === undefined ? getDefaultDomain(service.baseUrl) : parseDomain(smtpDomain),
    tls: getTlsFiles(settings),
    limits: checkLimits({ ...mailLimits, ...settings.smtpLimits }),
  }
}

function getDefaultDomain(baseUrl: string | undefined): string {
  const host = baseUrl === undefined ? '' : new URL(baseUrl).hostname
  return /^[a-z]|[a-z]$/.test(host) ? host : 'localhost'
}

function parseDomain(text: string): string {
  const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i
  if (text.length <= 200 && text.split('.').every(each => label.test(each)))
    return text.toLowerCase()
  throw new RelayError('usage', `The SMTP domain ${text} must be a name such as sms.example.com.`)
}

function getTlsFiles({ smtpCert: cert, smtpKey: key }: SmtpSettings): SmtpConfig['tls'] {
  if (cert === undefined && key === undefined) return undefined
  if (cert !== undefined && key !== undefined) return { cert, key }
  throw new RelayError('usage', 'The certificate for SMTP and its key belong together; give both.')
}

function checkLimits(limits: MailLimits): MailLimits {
  for (const [name, value] of Object.entries(limits)) {
    if (Number.isInteger(value) && value >= 0 && value <= 2 ** 31 - 1) continue
    throw new RelayError('usage', `The SMTP limit ${name} must be an integer, 0 to 2147483647.`)
  }
  return limits
}
