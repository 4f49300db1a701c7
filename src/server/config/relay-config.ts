import { resolve } from 'node:path'
import {
  defaultStartKeywords,
  defaultStopKeywords,
  normalizeKeyword,
  type OptOutKeywords,
  toKeywords,
} from '../../domain/phone/opt-out-keywords.js'
import { RelayError } from '../../errors.js'
import { isCidrRange } from '../../net/address-policy.js'
import { isLoopbackHost } from '../../net/ip-address.js'
import { type ConnectionLimits, connectionLimits } from '../../net/server/connection-limits.js'
import { parseSmtpConfig, type SmtpConfig, type SmtpSettings } from './smtp-config.js'

const minute = 60_000
const day = 24 * 60 * minute
const retentionUnits: Readonly<Record<string, number>> = {
  m: minute,
  h: 60 * minute,
  d: day,
  w: 7 * day,
}
const maxRetention = 36_500 * day

/** How a relay is set up. */
export interface RelaySettings extends SmtpSettings {
  /** Directory of the embedded store; created when it is not there. */
  readonly dataDir: string
  /** @default '127.0.0.1' */
  readonly host?: string | undefined
  /** 0 picks a free one. @default 8080 */
  readonly port?: number | undefined
  /** Public address, for links behind a proxy. @default the address a request was sent to */
  readonly baseUrl?: string | undefined
  /** Settles messages to test numbers without a phone. @default false */
  readonly sandbox?: boolean | undefined
  /** Seconds a phone may keep a message before it reports. @default 120 */
  readonly lease?: number | undefined
  /**
   * How long messages are kept after they became final or deleted, such as `90d`: a whole number and `m`, `h`, `d` or `w`.
   * @default for ever
   */
  readonly retain?: string | undefined
  /** Seconds a token lives after the last request that used it. @default 28800 */
  readonly tokenLifetime?: number | undefined
  /**
   * Whether a proxy in front says in `X-Forwarded-For` whom a request is from, and in `X-Forwarded-Proto` whether over
   * TLS; nobody may reach the service around it.
   * @default false
   */
  readonly trustProxy?: boolean | undefined
  /**
   * Ranges in CIDR form, such as `10.0.0.0/8`, that hits may go to although they are not public.
   * @default none; loopback while only this machine can reach the service
   */
  readonly hookAllow?: readonly string[] | undefined
  /**
   * Words that, as a whole text, put its sender on the Do Not Text list; none: nothing is read so.
   * @default STOP, STOPALL, UNSUBSCRIBE, CANCEL, END, QUIT
   */
  readonly stopWords?: readonly string[] | undefined
  /** Words that take a sender off again whom a word put there. @default START, UNSTOP, YES */
  readonly startWords?: readonly string[] | undefined
  /** What one client may take of the connections; whatever is left out has its default. Times in milliseconds. */
  readonly limits?: Partial<ConnectionLimits> | undefined
}

/** Checked settings; times in milliseconds. */
export interface RelayConfig {
  readonly dataDir: string
  readonly host: string
  readonly port: number
  readonly baseUrl: string | undefined
  readonly sandbox: boolean
  readonly lease: number
  /** Infinite: for ever. */
  readonly retain: number
  readonly tokenLifetime: number
  readonly trustProxy: boolean
  readonly hookAllow: readonly string[]
  /** Whether hits may go to loopback addresses, since only this machine can reach the service. */
  readonly hookLoopback: boolean
  readonly keywords: OptOutKeywords
  readonly limits: ConnectionLimits
  readonly smtp: SmtpConfig
}

/** Checks settings and fills in what was left out. Throws `usage`. */
export function parseRelayConfig(settings: RelaySettings): RelayConfig {
  const host = requireNonEmpty('host', settings.host ?? '127.0.0.1')
  const baseUrl = settings.baseUrl === undefined ? undefined : parseBaseUrl(settings.baseUrl)
  const trustProxy = settings.trustProxy ?? false
  return {
    dataDir: resolve(requireNonEmpty('data directory', settings.dataDir)),
    host,
    port: requireInteger('port', settings.port ?? 8080, 0, 65_535),
    baseUrl,
    sandbox: settings.sandbox ?? false,
    lease: requireInteger('lease', settings.lease ?? 120, 1, 86_400) * 1000,
    retain:
      settings.retain === undefined ? Number.POSITIVE_INFINITY : parseRetention(settings.retain),
    tokenLifetime:
      requireInteger('token lifetime', settings.tokenLifetime ?? 28_800, 1, 31_536_000) * 1000,
    trustProxy,
    hookAllow: (settings.hookAllow ?? []).map(requireRange),
    hookLoopback: isLoopbackHost(host) && !trustProxy && isOwnAddress(baseUrl),
    keywords: parseKeywords(settings),
    limits: checkLimits({ ...connectionLimits, ...settings.limits }),
    smtp: parseSmtpConfig(settings, { host, baseUrl }),
  }
}

/** Behind a proxy, others reach the service although it listens on loopback. */
function isOwnAddress(baseUrl: string | undefined): boolean {
  return baseUrl === undefined || isLoopbackHost(new URL(baseUrl).hostname)
}

function requireRange(text: string): string {
  if (isCidrRange(text)) return text
  throw new RelayError(
    'usage',
    `The range ${text} that hits are allowed to must be an address, a slash and the length of its prefix, with no bit set behind that.`,
    { hint: 'Such as 10.0.0.0/8, 192.168.1.7/32 or fd00::/8.' },
  )
}

function parseKeywords(settings: RelaySettings): OptOutKeywords {
  const { stopWords: stop = defaultStopKeywords, startWords: start = defaultStartKeywords } =
    settings
  const words = toKeywords(stop.map(requireKeyword), start.map(requireKeyword))
  const both = [...words.stop].find(each => words.start.has(each))
  if (both === undefined) return words
  throw new RelayError('usage', `The word "${both}" cannot both stop and start.`)
}

function requireKeyword(text: string): string {
  if (normalizeKeyword(text) !== '' && !/\p{Cc}/u.test(text) && text.length <= 100) return text
  throw new RelayError('usage', `The word "${text.slice(0, 100)}" is none that a text can be.`, {
    hint: 'Give words of 1 to 100 characters with commas between them, or none.',
  })
}

function checkLimits(limits: ConnectionLimits): ConnectionLimits {
  for (const [name, value] of Object.entries(limits))
    requireInteger(`limit ${name}`, value, 1, 2 ** 31 - 1)
  if (limits.headTimeout <= limits.requestTimeout) return limits
  throw new RelayError('usage', 'The limit headTimeout must not be longer than requestTimeout.')
}

/** Nothing would mean the working directory, or every address of the machine. */
function requireNonEmpty(name: string, value: string): string {
  if (value !== '') return value
  throw new RelayError('usage', `The ${name} must not be empty.`)
}

function requireInteger(name: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value
  throw new RelayError('usage', `The ${name} must be an integer, ${least} to ${most}.`)
}

function parseRetention(text: string): number {
  const [, digits, unit = ''] = /^([1-9]\d{0,7})([mhdw])$/.exec(text) ?? []
  const milliseconds = Number(digits) * (retentionUnits[unit] ?? Number.NaN)
  if (milliseconds <= maxRetention) return milliseconds
  throw new RelayError(
    'usage',
    `The retention ${text} must be a whole number with its unit (m, h, d or w), such as 90d, of at most 100 years.`,
    { hint: 'Leave it out to keep messages for ever.' },
  )
}

function parseBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain =
    url?.search === '' && url.hash === '' && url.username === '' && url.password === ''
  if (isPlain && /^https?:$/.test(url.protocol)) return url.href.replace(/\/+$/, '')
  throw new RelayError(
    'usage',
    `The base URL ${text} must be an address such as https://sms.example.com.`,
  )
}
