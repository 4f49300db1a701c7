import type { LookupFunction } from 'node:net'
import { type AddressPolicy, addressPolicy } from '../util/address-policy.js'
import { type Answer, exchange, type RawRequest } from '../util/exchange.js'
import { AddressRefused, guardedAgents } from '../util/guarded-agents.js'
import { realTimers, type Timers } from './timers.js'

/** What a hit came to: `ok` when the receiver answered 2xx (README: open details). */
export interface Verdict {
  readonly ok: boolean
  /** Of the receiver's answer, when there was one. */
  readonly status?: number
  /** One sentence on what was wrong, when it was not ok. */
  readonly error?: string
}

/** Makes a hit; never throws, and is over soon after the signal is aborted. */
export type Send = (hit: RawRequest, signal: AbortSignal) => Promise<Verdict>

/** A {@link Send} with connections of its own. */
export interface Sender {
  readonly send: Send
  /** Ends the connections that are kept open for later hits. */
  close(): void
}

/** Options of {@link createSender}. */
export interface SenderOptions {
  /** @default the real clock's */
  readonly timers?: Timers
  /** Which addresses are called. @default public and loopback ones */
  readonly policy?: AddressPolicy
  /** Finds the addresses of a host name. @default the system's */
  readonly lookup?: LookupFunction
  /** Milliseconds a connection may take, name look-up and TLS included. @default 5000 */
  readonly connectTimeout?: number
  /** Milliseconds the whole answer may take. @default 15000 */
  readonly answerTimeout?: number
}

/** Whose move it is when an address is refused. */
const howToAllow = 'whoever runs the service can allow it with serve --hook-allow'

/** Shorter than the 5 s after which many servers hang up on an idle connection. */
const idleConnection = 4000

/** Milliseconds until the next of a host's addresses is tried; Node's 250 is too short for far ones. */
const addressTimeout = 1000

/**
 * Makes a {@link Sender} on node:http, since fetch refuses logins and undici both refuses CONNECT and drops
 * `Content-Length: 0` from methods it takes to have no body.
 */
export function createSender(options: SenderOptions = {}): Sender {
  const { timers = realTimers, connectTimeout = 5000, answerTimeout = 15_000 } = options
  const { policy = addressPolicy({ loopback: true }), lookup } = options
  const settings = {
    keepAlive: true,
    timeout: idleConnection,
    autoSelectFamilyAttemptTimeout: addressTimeout,
  }
  const { plain, secure } = guardedAgents(settings, policy, lookup)
  const send: Send = async (hit, signal) => {
    const ending = new AbortController()
    const end = (why: string) => (): void => ending.abort(new Error(why))
    const connected = timers.after(connectTimeout, end(`no connection within ${connectTimeout} ms`))
    const answered = timers.after(answerTimeout, end(`no answer within ${answerTimeout} ms`))
    const abort = end('given up because the service is stopping')
    signal.addEventListener('abort', abort)
    if (signal.aborted) abort()
    try {
      const agent = hit.url.startsWith('https:') ? secure : plain
      return verdictOn(await exchange(hit, { agent, signal: ending.signal, connected }))
    } catch (error) {
      return { ok: false, error: sentence(error) }
    } finally {
      connected()
      answered()
      signal.removeEventListener('abort', abort)
    }
  }
  const close = (): void => {
    plain.destroy()
    secure.destroy()
  }
  return { send, close }
}

function verdictOn({ status }: Answer): Verdict {
  if (status >= 200 && status < 300) return { ok: true, status }
  return { ok: false, status, error: `The receiver answered ${status}.` }
}

function sentence(error: unknown): string {
  if (error instanceof AddressRefused)
    return `The hit was not made: ${error.message}; ${howToAllow}.`
  const { message = '', code = '' } = error as NodeJS.ErrnoException
  return `The hit failed: ${message || code || String(error)}.`
}
