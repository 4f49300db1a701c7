import { RelayError } from '../../../errors.js'
import { isLoopbackHost } from '../../../net/ip-address.js'
import { parseBaseAddress, parseDuration, parseInteger } from '../../terminal/parse-values.js'
import { toWebhookFields } from '../hook-flags.js'
import type { listenFlags } from './listen-flags.js'
import {
  parseExpectedStatus,
  parseForwardAddress,
  parseHeaders,
  parseStartPosition,
  type StartPosition,
} from './listen-values.js'
import { parseSigningSecret } from './verify-webhook.js'

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
  /** Milliseconds after which `hook listen` ends. */
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
