import { boolean, string } from '@oclif/core/flags'
import { limits } from '../../../domain/limits.js'
import { RelayError } from '../../../errors.js'
import { isLoopbackHost } from '../../../net/ip-address.js'
import { parseBaseAddress, parseDuration, parseInteger } from '../../terminal/parse-values.js'
import { toWebhookFields, webhookFlags } from '../hook-flags.js'
import { parseSigningSecret } from './verify-webhook.js'

export const listenFlags = {
  events: string({
    description:
      'Events to listen to, separated by commas. Name receipts and sign-ins to get them.',
    env: 'SMSRELAY_EVENTS',
    defaultHelp: async () => 'all',
    helpValue: 'EVENTS',
  }),
  'no-relay': boolean({
    description: 'Receive webhooks on the port without subscribing; needs no relay and no keys.',
    env: 'SMSRELAY_NO_RELAY',
    helpGroup: 'PORT',
    exclusive: ['events', 'stream', 'from', 'retry', 'until', 'public-url', 'fetch'],
  }),
  secret: string({
    description: 'With --no-relay: respond with 401 to webhooks not signed with this secret.',
    env: 'SMSRELAY_HOOK_SECRET',
    helpValue: 'whsec_…',
    helpGroup: 'PORT',
    dependsOn: ['no-relay'],
  }),
  stream: boolean({
    description: 'Use the event stream. [default with --from, --retry and a remote relay]',
    env: 'SMSRELAY_STREAM',
    helpGroup: 'STREAM',
  }),
  from: string({
    description: 'First event: now, a sequence, the last N, or failed ones.',
    env: 'SMSRELAY_HOOK_LISTEN_FROM',
    defaultHelp: async () => 'saved position, else now',
    helpValue: 'now|SEQ|-N|failed',
    helpGroup: 'STREAM',
  }),
  retry: string({
    description: 'Retries before a failed event is skipped.',
    env: 'SMSRELAY_RETRY',
    defaultHelp: async () => 'no limit',
    helpValue: 'N',
    helpGroup: 'STREAM',
  }),
  state: string({
    description: 'Directory of saved positions and of the locks of running listeners.',
    defaultHelp: async () => 'the state directory',
    helpValue: 'DIR',
    env: 'SMSRELAY_STATE_DIR',
  }),
  port: string({
    description: 'Port on which webhooks are received.',
    env: 'SMSRELAY_HOOK_PORT',
    defaultHelp: async () => 'a free one',
    helpValue: 'N',
    helpGroup: 'PORT',
  }),
  host: string({
    description: 'Address on which webhooks are received.',
    env: 'SMSRELAY_HOOK_HOST',
    defaultHelp: async () => '127.0.0.1',
    helpValue: 'HOST',
    helpGroup: 'PORT',
  }),
  'public-url': string({
    description: 'Address at which the relay reaches this machine.',
    env: 'SMSRELAY_PUBLIC_URL',
    defaultHelp: async () => '--host and --port',
    helpValue: 'URL',
    helpGroup: 'PORT',
  }),
  respond: string({
    description: 'Status of the response to each webhook.',
    env: 'SMSRELAY_RESPOND',
    defaultHelp: async () => '200',
    helpValue: 'STATUS',
    helpGroup: 'PORT',
  }),
  'forward-to': string({
    description: 'Send each webhook to this address of your app.',
    env: 'SMSRELAY_FORWARD_TO',
    helpValue: 'URL',
  }),
  header: string({
    char: 'H',
    description: "Header field for forwarded webhooks, 'Name: value'; repeatable.",
    env: 'SMSRELAY_HEADER',
    helpValue: 'FIELD',
    multiple: true,
    multipleNonGreedy: true,
  }),
  timeout: string({
    description: 'Longest wait for a response of your app; 0: no limit.',
    env: 'SMSRELAY_HOOK_TIMEOUT',
    defaultHelp: async () => '15s',
    helpValue: 'TIME',
  }),
  'skip-verify': boolean({
    description: 'Accept any certificate of your app, such as a self-signed one.',
    env: 'SMSRELAY_SKIP_VERIFY',
  }),
  save: string({
    description: 'Save each webhook as a file in this directory.',
    env: 'SMSRELAY_SAVE',
    helpValue: 'DIR',
  }),
  'show-response': boolean({
    description: 'Show the responses of your app.',
    env: 'SMSRELAY_SHOW_RESPONSE',
  }),
  fetch: boolean({
    description: 'Fetch and show the message or received text of each event.',
    env: 'SMSRELAY_FETCH',
  }),
  verbose: boolean({ description: 'Show each webhook in full.', env: 'SMSRELAY_VERBOSE' }),
  count: string({
    description: 'End after this number of events.',
    env: 'SMSRELAY_HOOK_LISTEN_COUNT',
    helpValue: 'N',
  }),
  until: string({
    description: 'End after an event of this name.',
    env: 'SMSRELAY_HOOK_UNTIL',
    helpValue: 'EVENT',
  }),
  expect: string({
    description: 'End with exit code 1 if your app responds with another status.',
    env: 'SMSRELAY_EXPECT',
    helpValue: '2xx',
  }),
  'max-wait': string({
    description: 'End after this time, with exit code 124.',
    env: 'SMSRELAY_MAX_WAIT',
    helpValue: 'TIME',
  }),
  ...webhookFlags,
}

export type ListenFlags = {
  readonly [Name in Exclude<keyof typeof listenFlags, BooleanName | 'header'>]?: string | undefined
} & { readonly [Name in BooleanName]?: boolean | undefined } & {
  readonly header?: readonly string[] | undefined
}
type BooleanName =
  | 'no-relay'
  | 'stream'
  | 'skip-verify'
  | 'show-response'
  | 'fetch'
  | 'verbose'
  | 'post'

export interface ListenSettings {
  readonly mode: 'stream' | 'port'
  readonly webhook: { readonly method?: string; readonly post?: boolean }
  readonly events: readonly string[] | undefined
  readonly forwardTo: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly verifiesCertificate: boolean
  readonly save: string | undefined
  /** Milliseconds for which `hook listen` waits for the local program; 0: no limit. */
  readonly timeout: number
  readonly from: StartPosition | undefined
  readonly retries: number
  readonly expected: RegExp | undefined
  readonly respond: number
  readonly host: string
  readonly port: number
  readonly secret: string | undefined
  readonly publicUrl: string | undefined
  readonly count: number | undefined
  readonly until: string | undefined
  readonly maxWait: number | undefined
  readonly fetches: boolean
  readonly showsReply: boolean
}

/** Without `state`, which can come from the environment, where it is for other listeners too. */
const streamOnly = ['stream', 'from', 'retry'] as const
const portOnly = ['port', 'host', 'public-url', 'respond'] as const
const forwardOnly = [
  ...(['retry', 'header', 'timeout', 'skip-verify', 'show-response', 'expect'] as const),
]

export function parseListenFlags(flags: ListenFlags, url: string | undefined): ListenSettings {
  const mode = chooseMode(flags, url)
  const forwardTo = flags['forward-to']
  const alone = forwardTo === undefined ? forwardOnly.find(name => isGiven(flags[name])) : undefined
  if (alone !== undefined) throw missingFlagError(alone === 'header' ? 'H' : alone, '--forward-to')
  const from = flags.from === undefined ? undefined : parseStartPosition(flags.from)
  if (from?.kind === 'failed' && forwardTo === undefined)
    throw missingFlagError('from failed', '--forward-to')
  if (flags.respond !== undefined && forwardTo !== undefined) {
    throw conflictingFlagsError('--respond', '--forward-to')
  }
  if (flags.save !== undefined && mode === 'stream' && forwardTo === undefined) {
    throw missingFlagError('save', '--forward-to')
  }
  return {
    mode,
    from,
    forwardTo: parseOptional(forwardTo, text => parseTarget(text, flags['skip-verify'] === true)),
    ...parseValues(flags),
  }
}

function chooseMode(flags: ListenFlags, url: string | undefined): 'stream' | 'port' {
  if (url === undefined) return 'port'
  const ofStream = streamOnly.find(name => isGiven(flags[name]))
  const ofPort = portOnly.find(name => isGiven(flags[name]))
  if (ofStream !== undefined && ofPort !== undefined) {
    throw conflictingFlagsError(`--${ofStream}`, `--${ofPort}`)
  }
  if (ofStream !== undefined) return 'stream'
  return ofPort !== undefined || isLoopbackHost(new URL(url).hostname) ? 'port' : 'stream'
}

function parseTarget(text: string, skipsVerify: boolean): string {
  const target = parseForwardAddress(text)
  if (!skipsVerify || target.toLowerCase().startsWith('https:')) return target
  throw new RelayError('usage', `--skip-verify requires an https address, not "${text}".`, {
    hint: 'Begin --forward-to with https://, or remove --skip-verify.',
  })
}

function parseValues(flags: ListenFlags): Omit<ListenSettings, 'mode' | 'from' | 'forwardTo'> {
  const expected = parseOptional(flags.expect, parseExpectedStatus)
  const defaultRetries = expected === undefined ? Number.POSITIVE_INFINITY : 0
  return {
    events: parseOptional(flags.events, text => text.split(',').map(each => each.trim())),
    headers: parseHeaders(flags.header ?? []),
    timeout: parseDuration('--timeout', flags.timeout ?? '15s'),
    retries:
      parseOptional(flags.retry, text => parseInteger('--retry', text, 0, 1e9)) ?? defaultRetries,
    expected,
    respond: parseInteger('--respond', flags.respond ?? '200', 200, 599),
    host: flags.host ?? '127.0.0.1',
    port: parseInteger('--port', flags.port ?? '0', 0, 65_535),
    secret: parseOptional(flags.secret, parseSigningSecret),
    publicUrl: parseOptional(flags['public-url'], text => parseBaseAddress('--public-url', text)),
    count: parseOptional(flags.count, text => parseInteger('--count', text, 1, 1e9)),
    until: flags.until,
    maxWait: parseOptional(flags['max-wait'], text => parseDuration('--max-wait', text)),
    verifiesCertificate: flags['skip-verify'] !== true,
    save: flags.save,
    webhook: toWebhookFields(flags),
    fetches: flags.fetch === true,
    showsReply: flags['show-response'] === true,
  }
}

function parseOptional<T>(text: string | undefined, read: (text: string) => T): T | undefined {
  return text === undefined ? undefined : read(text)
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== false
}

function missingFlagError(name: string, other: string): RelayError {
  const dashes = name.length === 1 ? '-' : '--'
  return new RelayError('usage', `${dashes}${name} requires ${other}.`, {
    hint: `Add ${other}, or remove ${dashes}${name}.`,
  })
}

function conflictingFlagsError(one: string, other: string): RelayError {
  return new RelayError('usage', `${one} and ${other} cannot be used together.`, {
    hint: `Remove ${one} or ${other}.`,
  })
}

export type StartPosition =
  | { readonly kind: 'now' }
  /** `--from failed`: the events that failed in an earlier run of `hook listen`. */
  | { readonly kind: 'failed' }
  /** `--from N`: events after this sequence; a negative number N: the last N events. */
  | { readonly kind: 'after'; readonly after: number }

/** Parses --from of `hook listen`: `now`, `failed`, a sequence, or -N. Throws `usage`. */
export function parseStartPosition(text: string): StartPosition {
  if (text === 'now' || text === 'failed') return { kind: text }
  const number = /^(?:\d{1,15}|-\d{1,4})$/.test(text) ? Number(text) : Number.NaN
  if (number >= 0) return { kind: 'after', after: Math.max(number - 1, 0) }
  if (number >= -limits.latestEvents) return { kind: 'after', after: number }
  throw usageError(`--from must be now, failed, a sequence, or -1 to -1000, not "${text}".`)
}

/** Parses --expect, a status such as 204 or a class such as 2xx, to a pattern. Throws `usage`. */
export function parseExpectedStatus(text: string): RegExp {
  if (!/^[1-5](?:\d\d|xx)$/i.test(text)) {
    throw usageError(`--expect must be a status such as 204 or 2xx, not "${text}".`)
  }
  return new RegExp(`^${text.toLowerCase().replaceAll('x', '\\d')}$`)
}

/** Parses --forward-to: a URL, or short for http: `3000`, `localhost:3000/hook`. Throws `usage`. */
export function parseForwardAddress(text: string): string {
  const local = /^\d{1,5}$/.test(text) ? `127.0.0.1:${text}` : text
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(local) ? local : `http://${local}`
  const isWeb = /^https?:\/\//i.test(address) && !/[\s\p{Cc}]/u.test(address)
  if (isWeb && URL.canParse(address)) return address
  throw usageError(
    `--forward-to must be an address such as http://127.0.0.1:3000/hook, not "${text}".`,
  )
}

const tokenPattern = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
/** HTTP header fields of message framing, and of one connection (RFC 9110 section 7.6.1). */
const framingFields =
  /^(?:content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect)$/i

/**
 * Parses the values of the flag -H of `hook listen`, `Name: value`, each name once. Throws `usage`.
 */
function parseHeaders(texts: readonly string[]): Readonly<Record<string, string>> {
  const fields = texts.map(parseHeaderField)
  const names = fields.map(([name]) => name.toLowerCase())
  const repeated = names.find((name, at) => names.indexOf(name) !== at)
  if (repeated === undefined) return Object.fromEntries(fields)
  throw usageError(`-H sets the header field ${repeated} twice.`)
}

function parseHeaderField(text: string): readonly [string, string] {
  const colon = text.indexOf(':')
  const name = text.slice(0, Math.max(colon, 0))
  const value = text.slice(colon + 1).trim()
  if (!tokenPattern.test(name)) {
    throw usageError(`-H must be a header field such as 'X-Env: test', not '${text}'.`)
  }
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
    throw usageError(`-H has a value for ${name} with characters that HTTP does not allow.`)
  }
  if (framingFields.test(name)) {
    throw usageError(`-H cannot set ${name}: this field belongs to the connection.`)
  }
  return [name, value]
}

function usageError(message: string): RelayError {
  return new RelayError('usage', message)
}
