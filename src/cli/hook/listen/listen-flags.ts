import { boolean, string } from '@oclif/core/flags'
import { RelayError } from '../../../errors.js'
import { parseBaseAddress, parseDuration, parseInteger } from '../../terminal/parse-values.js'
import { webhookFlags } from '../hook-flags.js'
import {
  type ExpectedStatus,
  isLoopback,
  parseExpectedStatus,
  parseForwardAddress,
  parseHeaders,
  parseStartPosition,
  type StartPosition,
} from './listen-values.js'

/** Flags of `hook listen`. */
export const listenFlags = {
  events: string({
    description: 'Events to listen to, with commas. [default: all]',
    helpValue: 'EVENTS',
  }),
  stream: boolean({
    description: 'Listen over the event stream. [default where the relay is on another machine]',
    helpGroup: 'STREAM',
  }),
  from: string({
    description:
      'Begin now, at a sequence, at the last N (-N), or with those that were refused (failed). [default: where it was left, else now]',
    helpValue: 'now|SEQ|-N|failed',
    helpGroup: 'STREAM',
  }),
  retry: string({
    description:
      'Further attempts at a hit that fails, before going on without it. [default: until it succeeds]',
    helpValue: 'N',
    helpGroup: 'STREAM',
  }),
  state: string({
    description: 'Directory that remembers what was acknowledged. [default: the state directory]',
    helpValue: 'DIR',
    env: 'SMSRELAY_STATE_DIR',
    helpGroup: 'STREAM',
  }),
  port: string({
    description: 'Port on which hits are received. [default: a free one]',
    helpValue: 'N',
    helpGroup: 'PORT',
  }),
  host: string({
    description: 'Address to receive on. [default: 127.0.0.1]',
    helpValue: 'HOST',
    helpGroup: 'PORT',
  }),
  'public-url': string({
    description: 'Address at which the relay reaches this machine. [default: --host and --port]',
    helpValue: 'URL',
    helpGroup: 'PORT',
  }),
  respond: string({
    description: 'Status with which hits are answered. [default: 200]',
    helpValue: 'STATUS',
    helpGroup: 'PORT',
  }),
  'forward-to': string({
    description: 'Hand each hit to this address, one after the other.',
    helpValue: 'URL',
  }),
  header: string({
    char: 'H',
    description: "A header field for forwarded hits, 'Name: value'; can be repeated.",
    helpValue: 'FIELD',
    multiple: true,
    multipleNonGreedy: true,
  }),
  timeout: string({
    description: 'Longest a forwarded hit may take; 0: as long as it takes. [default: 15s]',
    helpValue: 'TIME',
  }),
  'show-response': boolean({ description: 'Show what the forwarded hits are answered with.' }),
  fetch: boolean({ description: 'Fetch the message or received text of each event, and show it.' }),
  verbose: boolean({ description: 'Show each hit in full.' }),
  count: string({ description: 'End after so many events.', helpValue: 'N' }),
  until: string({ description: 'End after an event of this name.', helpValue: 'EVENT' }),
  expect: string({
    description: 'End with exit code 1 when a forwarded hit is answered otherwise.',
    helpValue: '2xx',
  }),
  'max-wait': string({
    description: 'End after this long, with exit code 124.',
    helpValue: 'TIME',
  }),
  ...webhookFlags,
}

/** What these flags are parsed to. */
export type ListenFlags = {
  readonly [Name in Exclude<keyof typeof listenFlags, BooleanName | 'header'>]?: string | undefined
} & { readonly [Name in BooleanName]?: boolean | undefined } & {
  readonly header?: readonly string[] | undefined
}
type BooleanName = 'stream' | 'show-response' | 'fetch' | 'verbose' | 'post'

/** Checked flags. */
export interface ListenSettings {
  readonly mode: 'stream' | 'port'
  readonly events: readonly string[] | undefined
  readonly forwardTo: string | undefined
  readonly headers: Readonly<Record<string, string>>
  /** Milliseconds; 0: as long as it takes. */
  readonly timeout: number
  readonly from: StartPosition | undefined
  readonly retries: number
  readonly expected: ExpectedStatus | undefined
  readonly respond: number
  readonly host: string
  readonly port: number
  readonly publicUrl: string | undefined
  readonly count: number | undefined
  readonly until: string | undefined
  readonly maxWait: number | undefined
}

const streamOnly = ['from', 'retry', 'state'] as const
const portOnly = ['port', 'host', 'public-url', 'respond'] as const
const forwardOnly = ['retry', 'header', 'timeout', 'show-response', 'expect'] as const

/** Checks flags against each other; `url` is that of the relay. Throws `usage`. */
export function parseListenFlags(flags: ListenFlags, url: string): ListenSettings {
  const named = portOnly.find(name => flags[name] !== undefined)
  if (flags.stream && named !== undefined) throw conflictingFlagsError('--stream', `--${named}`)
  const mode = flags.stream || (named === undefined && !isLoopback(url)) ? 'stream' : 'port'
  const other = mode === 'port' ? streamOnly.find(name => flags[name] !== undefined) : undefined
  // The environment may name a directory for the listeners that need one.
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
  const untilTaken = expected === undefined ? Number.POSITIVE_INFINITY : 0
  return {
    events: parseOptional(flags.events, text => text.split(',').map(each => each.trim())),
    headers: parseHeaders(flags.header ?? []),
    timeout: parseDuration('--timeout', flags.timeout ?? '15s'),
    retries:
      parseOptional(flags.retry, text => parseInteger('--retry', text, 0, 1e9)) ?? untilTaken,
    expected,
    respond: parseInteger('--respond', flags.respond ?? '200', 200, 599),
    host: flags.host ?? '127.0.0.1',
    port: parseInteger('--port', flags.port ?? '0', 0, 65_535),
    publicUrl: parseOptional(flags['public-url'], text => parseBaseAddress('--public-url', text)),
    count: parseOptional(flags.count, text => parseInteger('--count', text, 1, 1e9)),
    until: flags.until,
    maxWait: parseOptional(flags['max-wait'], text => parseDuration('--max-wait', text)),
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
  return new RelayError('usage', `${dashes}${name} needs ${other}.`, { hint: 'See --help.' })
}

function conflictingFlagsError(one: string, other: string): RelayError {
  return new RelayError('usage', `${one} and ${other} do not go together.`, { hint: 'See --help.' })
}
