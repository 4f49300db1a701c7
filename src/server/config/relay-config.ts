// The settings of `serve` or of createRelay become the configuration of the relay's parts. Nothing
// here reads a file or the environment: the command collects flags, variables and file first.
import { resolve } from 'node:path'
import {
  defaultStartKeywords,
  defaultStopKeywords,
  toKeywords,
} from '../../domain/phone/opt-out-keywords.js'
import { RelayError } from '../../errors.js'
import { isLoopbackHost } from '../../net/ip-address.js'
import { type ConnectionLimits, connectionLimits } from '../../net/server/connection-limits.js'
import type { ListenTarget } from '../../net/server/listen-target.js'
import { checkSettings } from '../../settings/check-settings.js'
import { requireInteger } from '../../settings/setting.js'
import type { CheckedValues, SettingValues } from '../../settings/settings.js'

export interface DatabaseSettings {
  /** URL of the database, such as `postgres://user@host:5432/relay?sslmode=verify-full`. */
  readonly url: string
  /** Password of the database's role, if the URL has none. */
  readonly password?: string | undefined
  /** File with passwords of databases, in the format of `~/.pgpass`. */
  readonly passwordFile?: string | undefined
  /** Whether the relay brings the tables of the database to its version. @default true */
  readonly migrate?: boolean | undefined
}

export interface StoreLocation {
  /** Data directory of the relay's store; created if it is missing. */
  readonly dataDir?: string | undefined
  /** Database of the relay, instead of a data directory. */
  readonly database?: DatabaseSettings | undefined
}

type TableSettings = Omit<
  SettingValues,
  'config' | 'data' | 'database' | 'migrate' | 'email' | 'logLevel' | 'logFormat'
>

/** The settings of a relay: those of `serve`, and some that only the library has. */
export interface RelaySettings extends TableSettings, StoreLocation {
  /** Descriptor of a socket of the parent process that the relay serves, not port or `socket`. */
  readonly listenFd?: number | undefined
  /** Descriptor of a socket of the parent process that serves metrics, not `metricsPort`. */
  readonly metricsFd?: number | undefined
  /** Seconds that a token stays valid after the last request with it. @default 28800 */
  readonly tokenLifetime?: number | undefined
  /**
   * Addresses of the DNS servers that resolve webhook addresses, with or without a port.
   * @default those of the system
   */
  readonly dnsServers?: readonly string[] | undefined
  readonly limits?: Partial<ConnectionLimits> | undefined
  readonly smtpLimits?: Partial<MailLimits> | undefined
}

export interface TlsConfig {
  readonly cert: string
  readonly key: string
}

export interface MailLimits {
  readonly recipients: number
  readonly connections: number
  /** SMTP connections at once from one address (of IPv6 its /64). */
  readonly connectionsEach: number
  /** Longest silence of a mail client. */
  readonly idleTimeout: number
  /** Longest duration of an SMTP connection. */
  readonly lifetime: number
  /**
   * Unknown mail recipients that an address can name in an hour; each further one ends its
   * connection.
   */
  readonly unknown: number
  /** Delay of the mail server's reply to each unknown recipient. */
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

const day = 24 * 60 * 60 * 1000

/** The relay's checked settings; times in milliseconds. */
export type RelayConfig = ReturnType<typeof parseRelayConfig>
export type SmtpConfig = RelayConfig['smtp']
export type MetricsConfig = RelayConfig['metrics']

/** Checks the relay's settings and adds defaults. Throws `usage`. */
export function parseRelayConfig(settings: RelaySettings) {
  const { dataDir: _, database, ...given } = settings
  const { values, wrong } = checkSettings(given)
  if (wrong[0] !== undefined) throw wrong[0].error
  const { host, baseUrl, trustProxy } = values
  const tls = toTls(values.tlsCert, values.tlsKey)
  const { tokenLifetime = 28_800 } = settings
  return {
    location: parseStoreLocation(settings),
    listen: toListenTarget(settings, values),
    baseUrl,
    sandbox: values.sandbox,
    lease: values.lease * 1000,
    /** Retention of messages. */
    retain: values.retain ?? Number.POSITIVE_INFINITY,
    retainLogs: {
      audit: values.retainLogs ?? 365 * day,
      deliveries: values.retainLogs ?? 30 * day,
    },
    tokenLifetime: requireInteger('token lifetime', tokenLifetime, 1, 31_536_000) * 1000,
    trustProxy,
    keywords: values.keywords ?? toKeywords(defaultStopKeywords, defaultStartKeywords),
    limits: requireLimits(
      'limit',
      { ...connectionLimits, connections: values.maxConnections, ...settings.limits },
      1,
    ),
    tls,
    smtp: {
      port: values.smtpPort,
      tlsPort: values.smtpTlsPort,
      host,
      domain: getMailDomain(values),
      tls: toTls(values.smtpCert, values.smtpKey) ?? tls,
      /** Bytes of a mail. */
      maxSize: values.smtpMaxSize * 1024 * 1024,
      xForward: values.smtpXforward,
      limits: requireLimits('SMTP limit', { ...mailLimits, ...settings.smtpLimits }, 0),
    },
    mailRelay: toMailRelay(values),
    webhooks: {
      allow: values.hookAllow ?? [],
      /** Whether webhooks can use loopback addresses. */
      loopback: settings.listenFd === undefined && isOnlyLocal(values),
      maxSubscriptions: values.maxSubscriptions,
      inFlight: values.maxWebhooks,
      inFlightPerAccount: Math.max(64, values.maxWebhooksPerHost),
      inFlightPerHost: values.maxWebhooksPerHost,
      dnsServers: settings.dnsServers,
    },
    /** Without a target and a token nothing serves metrics. */
    metrics: {
      listen: toMetricsTarget(settings, values),
      token: values.metricsToken,
    },
  }
}

export function parseStoreLocation({ dataDir, database }: StoreLocation): StoreLocation {
  if (dataDir !== undefined && database !== undefined) {
    throw new RelayError('usage', 'A relay has a data directory or a database, not both.', {
      hint: 'Leave one of them out.',
    })
  }
  if (database !== undefined) return { database }
  if (dataDir !== undefined && dataDir !== '') return { dataDir: resolve(dataDir) }
  throw new RelayError('usage', 'The data directory must not be empty.')
}

export function hasMailServer({ port, tlsPort }: Pick<SmtpConfig, 'port' | 'tlsPort'>): boolean {
  return port !== undefined || tlsPort !== undefined
}

function toTls(cert: string | undefined, key: string | undefined): TlsConfig | undefined {
  return cert === undefined || key === undefined ? undefined : { cert, key }
}

function toListenTarget(
  { listenFd: fd }: RelaySettings,
  { host, port, socket: path }: CheckedValues,
): ListenTarget {
  if (fd !== undefined) return { fd }
  return path === undefined ? { host, port } : { path }
}

function toMetricsTarget(
  { metricsFd: fd }: RelaySettings,
  { metricsPort: port }: CheckedValues,
): ListenTarget | undefined {
  if (fd !== undefined) return { fd }
  return port === undefined ? undefined : { host: '127.0.0.1', port, flags: 'metrics-' }
}

function getMailDomain({ smtpDomain, baseUrl }: CheckedValues): string {
  if (smtpDomain !== undefined) return smtpDomain
  const host = baseUrl === undefined ? '' : new URL(baseUrl).hostname
  return /^[a-z]|[a-z]$/.test(host) ? host : 'localhost'
}

function toMailRelay(values: CheckedValues) {
  const { mailRelay: url, mailFrom } = values
  if (url === undefined) return undefined
  const from = mailFrom ?? `smsrelay@${getMailDomain(values)}`
  // A login may only be sent over TLS, to all but this machine.
  return { url, from, requireTls: !isLoopbackHost(new URL(url).hostname) }
}

/** Whether only this machine can reach the relay: behind a proxy, others can reach loopback. */
function isOnlyLocal({ host, trustProxy, baseUrl }: CheckedValues): boolean {
  const hasOwnAddress = baseUrl === undefined || isLoopbackHost(new URL(baseUrl).hostname)
  return isLoopbackHost(host) && trustProxy === undefined && hasOwnAddress
}

/** Checks that all values of a group of limits are integers from `min` on. Throws `usage`. */
function requireLimits<T extends object>(name: string, limits: T, min: number): T {
  for (const [key, value] of Object.entries(limits)) {
    requireInteger(`${name} ${key}`, value, min, 2 ** 31 - 1)
  }
  return limits
}
