// Settings, of the serve command or of createRelay, become a checked configuration.
// - relay-config: the entry, and the settings of the relay; store-location: data or database
// - smtp-config: the settings of the mail server; mail-relay-config: of outgoing mail
// - tls-config: the settings of certificates
// - trust-proxy-config: which proxies say who the client is
// - metrics-config: where metrics are served
// - webhook-config: the settings of webhooks
// - require-integer: checks that both use
// A wrong setting throws `usage` with its name and value. Nothing here reads a file or the
// environment: the serve command collects flags and environment variables first.

import {
  defaultHelpKeywords,
  defaultStartKeywords,
  defaultStopKeywords,
  normalizeKeyword,
  type OptOutKeywords,
  toKeywords,
} from '../../domain/phone/opt-out-keywords.js'
import { RelayError } from '../../errors.js'
import { type ConnectionLimits, connectionLimits } from '../../net/server/connection-limits.js'
import type { TrustProxy } from '../../net/server/forwarded-client.js'
import type { ListenTarget } from '../../net/server/listen-target.js'
import {
  type MailRelayConfig,
  type MailRelaySettings,
  parseMailRelayConfig,
} from './mail-relay-config.js'
import { type MetricsConfig, type MetricsSettings, parseMetricsConfig } from './metrics-config.js'
import { parseRetention } from './parse-retention.js'
import { requireInteger, requireLimits } from './require-integer.js'
import { parseSmtpConfig, type SmtpConfig, type SmtpSettings } from './smtp-config.js'
import { parseStoreLocation, type StoreLocation } from './store-location.js'
import { parseTlsConfig, type TlsConfig, type TlsSettings } from './tls-config.js'
import { parseTrustProxy } from './trust-proxy-config.js'
import { parseWebhookConfig, type WebhookConfig, type WebhookSettings } from './webhook-config.js'

export interface RelaySettings
  extends StoreLocation,
    SmtpSettings,
    MailRelaySettings,
    TlsSettings,
    MetricsSettings,
    WebhookSettings {
  /** Address that the relay listens on. @default '127.0.0.1' */
  readonly host?: string | undefined
  /** Setting: port that the relay listens on; 0 picks a free one. @default 8080 */
  readonly port?: number | undefined
  /** Path of a Unix socket that the relay listens on, not the port. It needs `baseUrl`. */
  readonly socket?: string | undefined
  /** Descriptor of a socket of the parent process that the relay serves, not port or `socket`. */
  readonly listenFd?: number | undefined
  /** Public address behind a proxy; may have a path. @default the address of each request */
  readonly baseUrl?: string | undefined
  /** Whether to send messages to test numbers without a phone. @default false */
  readonly sandbox?: boolean | undefined
  /** Setting: length of a message lease in seconds. @default 120 */
  readonly lease?: number | undefined
  /**
   * Setting: retention of final and deleted messages, such as `90d`, a whole number and `m`, `h`,
   * `d` or `w`. @default forever
   */
  readonly retain?: string | undefined
  /** Setting: retention of the audit log and of the delivery log. @default 365d and 30d */
  readonly retainLogs?: string | undefined
  /** Setting: seconds that a token stays valid after the last request with it. @default 28800 */
  readonly tokenLifetime?: number | undefined
  /**
   * Whose `X-Forwarded-For` and `X-Forwarded-Proto` to believe: the number of proxies in front of
   * the relay, true for one, or their addresses, such as `10.0.0.0/8, loopback`. A number only if
   * clients cannot reach the relay without the proxies.
   * @default false
   */
  readonly trustProxy?: boolean | number | string | undefined
  /** Setting: HTTP connections at once; more get 503. @default 10000 */
  readonly maxConnections?: number | undefined
  /**
   * Setting: keywords with which a sender opts out; an empty list disables this.
   * @default {@link defaultStopKeywords}
   */
  readonly stopWords?: readonly string[] | undefined
  /** Setting: keywords that undo an opt-out. @default START, UNSTOP, YES */
  readonly startWords?: readonly string[] | undefined
  /** Setting: keywords that ask for an account's help text. @default HELP, INFO */
  readonly helpWords?: readonly string[] | undefined
  readonly limits?: Partial<ConnectionLimits> | undefined
}

/** The relay's checked settings; times in milliseconds. */
export interface RelayConfig {
  readonly location: StoreLocation
  readonly listen: ListenTarget
  readonly baseUrl: string | undefined
  readonly sandbox: boolean
  readonly lease: number
  /** Checked setting: retention of messages; can be Infinity. */
  readonly retain: number
  /** Checked setting: retention of the audit log, and of the delivery log. */
  readonly retainLogs: { readonly audit: number; readonly deliveries: number }
  readonly tokenLifetime: number
  readonly trustProxy: TrustProxy | undefined
  readonly keywords: OptOutKeywords
  readonly limits: ConnectionLimits
  readonly tls: TlsConfig | undefined
  readonly smtp: SmtpConfig
  readonly mailRelay: MailRelayConfig | undefined
  readonly webhooks: WebhookConfig
  readonly metrics: MetricsConfig
}

/** Checks the relay's settings and adds defaults. Throws `usage`. */
export function parseRelayConfig(settings: RelaySettings): RelayConfig {
  const host = requireNonEmpty('host', settings.host ?? '127.0.0.1')
  const baseUrl = settings.baseUrl === undefined ? undefined : parseBaseUrl(settings.baseUrl)
  const trustProxy = parseTrustProxy(settings.trustProxy)
  const tls = parseTlsConfig('tls', settings.tlsCert, settings.tlsKey)
  const smtp = parseSmtpConfig(settings, { host, baseUrl, tls })
  return {
    location: parseStoreLocation(settings),
    listen: parseListen(settings, host, baseUrl),
    baseUrl,
    sandbox: settings.sandbox ?? false,
    lease: requireInteger('lease', settings.lease ?? 120, 1, 86_400) * 1000,
    retain:
      settings.retain === undefined ? Number.POSITIVE_INFINITY : requireRetention(settings.retain),
    retainLogs: {
      audit: requireRetention(settings.retainLogs ?? '365d'),
      deliveries: requireRetention(settings.retainLogs ?? '30d'),
    },
    tokenLifetime:
      requireInteger('token lifetime', settings.tokenLifetime ?? 28_800, 1, 31_536_000) * 1000,
    trustProxy,
    keywords: parseKeywords(settings),
    limits: parseConnectionLimits(settings),
    tls,
    smtp,
    mailRelay: parseMailRelayConfig(settings, smtp.domain),
    webhooks: parseWebhookConfig(settings, {
      // A socket of the parent process can be open to other machines.
      host: settings.listenFd === undefined ? host : '0.0.0.0',
      hasProxy: trustProxy !== undefined,
      baseUrl,
    }),
    metrics: parseMetricsConfig(settings),
  }
}

function parseListen(
  { port = 8080, socket, listenFd: fd }: RelaySettings,
  host: string,
  baseUrl: string | undefined,
): ListenTarget {
  const address = { host, port: requireInteger('port', port, 0, 65_535) }
  if (fd !== undefined) return { fd }
  if (socket === undefined) return address
  if (baseUrl !== undefined) return { path: requireNonEmpty('socket', socket) }
  throw new RelayError('usage', `The socket ${socket} needs a base URL for links.`, {
    hint: 'Give the address of the proxy in front of the relay with --base-url.',
  })
}

function parseConnectionLimits(settings: RelaySettings): ConnectionLimits {
  const { maxConnections = connectionLimits.connections } = settings
  const connections = requireInteger('max-connections', maxConnections, 1, 1_000_000)
  return requireLimits('limit', { ...connectionLimits, connections, ...settings.limits }, 1)
}

function parseKeywords(settings: RelaySettings): OptOutKeywords {
  const {
    stopWords: stop = defaultStopKeywords,
    startWords: start = defaultStartKeywords,
    helpWords: help = defaultHelpKeywords,
  } = settings
  for (const word of [...stop, ...start, ...help]) requireKeyword(word)
  const keywords = toKeywords(stop, start, help)
  const all = [...keywords.stop, ...keywords.start, ...keywords.help]
  const twice = all.find((each, at) => all.indexOf(each) !== at)
  if (twice === undefined) return keywords
  throw new RelayError('usage', `The keyword "${twice}" cannot have two effects.`, {
    hint: 'Use different keywords to stop, to start and for help.',
  })
}

function requireKeyword(text: string): void {
  if (normalizeKeyword(text) !== '' && !/\p{Cc}/u.test(text) && text.length <= 100) return
  throw new RelayError('usage', `The keyword "${text.slice(0, 100)}" can never match a text.`, {
    hint: 'Use keywords of 1 to 100 characters, separated by commas, or an empty list.',
  })
}

/**
 * Rejects an empty setting: it would mean the working directory, or all addresses of the machine.
 */
function requireNonEmpty(name: string, value: string): string {
  if (value !== '') return value
  throw new RelayError('usage', `The ${name} must not be empty.`)
}

function requireRetention(text: string): number {
  const milliseconds = parseRetention(text)
  if (milliseconds !== undefined) return milliseconds
  throw new RelayError(
    'usage',
    `The retention ${text} must be a whole number and a unit (m, h, d or w), such as 90d, ` +
      'and at most 100 years.',
    { hint: 'Leave it out to keep messages forever.' },
  )
}

function parseBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain =
    url?.search === '' && url.hash === '' && url.username === '' && url.password === ''
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw new RelayError(
      'usage',
      `The base URL ${text} must be an address such as https://sms.example.com.`,
      { hint: 'It may have a path, such as https://example.com/sms.' },
    )
  }
  // The path is in redirects, in cookies and in the markup of pages.
  if (/^(?:\/[\w.~%-]+)*\/*$/.test(url.pathname)) return url.href.replace(/\/+$/, '')
  throw new RelayError('usage', `The path of the base URL ${text} is invalid.`, {
    hint: 'Use letters, digits and -._~% between slashes, such as https://example.com/sms.',
  })
}
