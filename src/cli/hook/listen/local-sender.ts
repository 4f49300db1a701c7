import { Agent } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import { type SentRequest, sendRequest } from '../../../net/client/send-request.js'

/** What became of one request to the local program. */
export interface LocalReply {
  /** Null when there was no answer. */
  readonly status: number | null
  readonly ms: number
  /** The beginning of the answer's body. */
  readonly reply: Buffer
  readonly contentType: string | undefined
  /** One sentence on why there was no answer. */
  readonly error: string | null
}

/** Options of a {@link Forwarder}. */
export interface LocalSenderOptions {
  /** Milliseconds an answer may take; 0: as long as it takes. */
  readonly timeout: number
  /** Put beside, or in the place of, those a request has. */
  readonly headers: Readonly<Record<string, string>>
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number
}

/** Sends requests to a local program, to the byte. */
export class LocalSender {
  readonly #options: LocalSenderOptions
  readonly #plain = new Agent({ keepAlive: true, timeout: 4000 })
  readonly #secure = new SecureAgent({ keepAlive: true, timeout: 4000 })

  constructor(options: LocalSenderOptions) {
    this.#options = options
  }

  /** Sends one request; never throws, and is over soon after the signal is aborted. */
  async send(raw: SentRequest, signal: AbortSignal): Promise<LocalReply> {
    const { timeout, now } = this.#options
    const began = now()
    const ending = new AbortController()
    const stop = (): void => ending.abort(new Error('given up because the listener ends'))
    const late = (): void => ending.abort(new Error(`no answer within ${timeout} ms`))
    const timer = timeout === 0 ? undefined : setTimeout(late, timeout)
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
    const ms = (): number => Math.round(now() - began)
    try {
      const agent = raw.url.startsWith('https:') ? this.#secure : this.#plain
      const options = { agent, signal: ending.signal, connected: () => {} }
      const { status, headers, body } = await sendRequest(this.#extended(raw), options)
      const contentType = headers['content-type']
      return { status, ms: ms(), reply: body, contentType, error: null }
    } catch (cause) {
      const { message = '', code = '' } = cause as NodeJS.ErrnoException
      const error = `No answer: ${message || code || String(cause)}.`
      return { status: null, ms: ms(), reply: Buffer.alloc(0), contentType: undefined, error }
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
  }

  /** Ends the connections that are kept open. */
  close(): void {
    this.#plain.destroy()
    this.#secure.destroy()
  }

  #extended(raw: SentRequest): SentRequest {
    const own = Object.entries(this.#options.headers)
    const replaced = own.map(([name]) => name.toLowerCase())
    const kept = Object.entries(raw.headers).filter(
      ([name]) => !replaced.includes(name.toLowerCase()),
    )
    return { ...raw, headers: Object.fromEntries([...kept, ...own]) }
  }
}
