import { setTimeout as sleep } from 'node:timers/promises'
import { HttpClient, type HttpReply } from '../harness/http-client.js'
import type { Keys } from '../harness/integrator.js'
import type { SentText } from '../oracle/history.js'

const retryDelay = 40

/**
 * A phone that is a plain HTTP client: it claims, sends by appending to a list, and reports until
 * the relay has accepted the report.
 */
export class ClusterPhone {
  readonly sends: SentText[] = []
  readonly #client: HttpClient
  readonly #keys: Keys
  readonly #name: string
  readonly #stop = new AbortController()
  #token: string | undefined
  #running: Promise<void> | undefined

  constructor(name: string, port: number, keys: Keys) {
    this.#name = name
    this.#client = new HttpClient(port)
    this.#keys = keys
  }

  start(): void {
    this.#running = this.#run()
    this.#running.catch(() => {})
  }

  /** Ends it after its last report. Throws the error that ended it before. */
  async stop(): Promise<void> {
    this.#stop.abort()
    this.#client.close()
    await this.#running
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const reply = await this.#try('NEXT', '/api/1/message', { prefer: 'wait=20' })
      if (reply?.status === 200) await this.#send(reply)
      else if (reply?.status !== 404) await sleep(retryDelay)
    }
  }

  async #send({ body }: HttpReply): Promise<void> {
    const { id, message: text } = (body as { message: { id: string; message: string } }).message
    this.sends.push({ phone: this.#name, life: this.#name, id, text })
    const key = { 'idempotency-key': crypto.randomUUID() }
    for (;;) {
      const reply = await this.#try('PUT', `/api/1/message/${id}/success`, key, { parts: 1 })
      if (reply?.status === 200) return
      if (reply !== undefined && reply.status !== 503 && reply.status !== 401) {
        throw new Error(`The report on ${id} was answered ${JSON.stringify(reply)}.`)
      }
      await sleep(retryDelay)
    }
  }

  async #try(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    json?: unknown,
  ): Promise<HttpReply | undefined> {
    try {
      this.#token ??= await this.#requestToken()
      const authorization = `Bearer ${this.#token}`
      return await this.#client.request(method, path, { ...headers, authorization }, json)
    } catch {
      return undefined
    }
  }

  async #requestToken(): Promise<string> {
    const { secret_key: secretKey, app_key: appKey } = this.#keys
    const pair = Buffer.from(`${secretKey}:${appKey}`).toString('base64')
    const headers = { authorization: `Basic ${pair}` }
    const { status, body } = await this.#client.request('GET', '/oauth', headers)
    if (status !== 200) throw new Error(`The reply to oauth was ${status}.`)
    return (body as { access_token: string }).access_token
  }
}
