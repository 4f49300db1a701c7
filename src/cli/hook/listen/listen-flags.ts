import { boolean, string } from '@oclif/core/flags'
import { RelayError } from '../../../errors.js'
import { isLoopbackHost } from '../../../net/ip-address.js'
import { parseBaseAddress, parseDuration, parseInteger } from '../../terminal/parse-values.js'
import { toWebhookFields, webhookFlags } from '../hook-flags.js'
import {
  parseExpectedStatus,
  parseForwardAddress,
  parseHeaders,
  parseStartPosition,
  type StartPosition,
} from './listen-values.js'

export const listenFlags = {
  events: string({
    description: 'Events to listen to, separated by commas.',
    env: 'SMSRELAY_EVENTS',
    defaultHelp: async () => 'all',
    helpValue: 'EVENTS',
  }),
  stream: boolean({
    description: 'Use the event stream. [default if the relay is on another machine]',
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
    description: 'Directory of saved positions.',
    defaultHelp: async () => 'the state directory',
    helpValue: 'DIR',
    env: 'SMSRELAY_STATE_DIR',
    helpGroup: 'STREAM',
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
    env: 'SMSRELAY_UNTIL',
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
type BooleanName = 'stream' | 'show-response' | 'fetch' | 'verbose' | 'post'

export interface ListenSettings {
  readonly mode: 'stream' | 'port'
  readonly webhook: { readonly method?: string; readonly post?: boolean }
  readonly events: readonly string[] | undefined
  readonly forwardTo: string | undefined
  readonly headers: Readonly<Record<string, string>>
  /** Milliseconds for which `hook listen` waits for the local program; 0: no limit. */
  readonly timeout: number
  readonly from: StartPosition | undefined
  /** Retries of `hook listen`; Infinity: no limit. */
  readonly retries: number
  readonly expected: RegExp | undefined
  readonly respond: number
  readonly host: string
  readonly port: number
  readonly publicUrl: string | undefined
  readonly count: number | undefined
  readonly until: string | undefined
  /** Milliseconds after which `hook listen` ends. */
  readonly maxWait: number | undefined
  readonly fetches: boolean
  readonly showsReply: boolean
}

const streamOnly = ['from', 'retry', 'state'] as const
const portOnly = ['port', 'host', 'public-url', 'respond'] as const
const forwardOnly = ['retry', 'header', 'timeout', 'show-response', 'expect'] as const

/**
 * Checks the flags of `hook listen`, each alone and together; `url` is the relay's. Throws `usage`.
 */
export function parseListenFlags(flags: ListenFlags, url: string): ListenSettings {
  const named = portOnly.find(name => flags[name] !== undefined)
  if (flags.stream && named !== undefined) throw conflictingFlagsError('--stream', `--${named}`)
  const mode =
    flags.stream || (named === undefined && !isLoopbackHost(new URL(url).hostname))
      ? 'stream'
      : 'port'
  const other = mode === 'port' ? streamOnly.find(name => flags[name] !== undefined) : undefined
  // `hook listen` may get `state` from the environment, where it is for other listeners too.
  if (other !== undefined && other !== 'state') throw missingFlagError(other, '--stream')
  const forwardTo = flags['forward-to']
  const alone = forwardTo === undefined ? forwardOnly.find(name => isGiven(flags[name])) : undefined
  if (alone !== undefined) throw missingFlagError(alone === 'header' ? 'H' : alone, '--forward-to')
  const from = flags.from === undefined ? undefined : parseStartPosition(flags.from)
  if (from?.kind === 'failed' && forwardTo === undefined)
    throw missingFlagError('from failed', '--forward-to')
  if (flags.respond !== undefined && forwardTo !== undefined) {
    throw conflictingFlagsError('--respond', '--forward-to')
  }
  return {
    mode,
    from,
    forwardTo: parseOptional(forwardTo, parseForwardAddress),
    ...parseValues(flags),
  }
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
    publicUrl: parseOptional(flags['public-url'], text => parseBaseAddress('--public-url', text)),
    count: parseOptional(flags.count, text => parseInteger('--count', text, 1, 1e9)),
    until: flags.until,
    maxWait: parseOptional(flags['max-wait'], text => parseDuration('--max-wait', text)),
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
