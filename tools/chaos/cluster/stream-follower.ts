import { type ClientRequest, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const retryDelay = 100

/** Follows the event stream of an account, and continues after its last event. */
export class StreamFollower {
  /** The sequence of each event in the order of arrival. */
  readonly sequences: number[] = []
  /** How often the stream was opened. */
  connections = 0
  readonly #port: number
  readonly #getToken: () => Promise<string>
  readonly #stop = new AbortController()
  #request: ClientRequest | undefined
  #running: Promise<void> | undefined

  constructor(port: number, getToken: () => Promise<string>) {
    this.#port = port
    this.#getToken = getToken
  }

  start(): void {
    this.#running = this.#run()
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    this.#request?.destroy()
    await this.#running
  }

  /** Waits until the event with this sequence has arrived; false if the time is over. */
  async waitFor(sequence: number, milliseconds: number): Promise<boolean> {
    const deadline = performance.now() + milliseconds
    while ((this.sequences.at(-1) ?? 0) < sequence) {
      if (performance.now() > deadline) return false
      await sleep(retryDelay)
    }
    return true
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        await this.#follow(await this.#getToken())
      } catch {
        // The stream is opened again.
      }
      await sleep(retryDelay)
    }
  }

  async #follow(token: string): Promise<void> {
    const last = this.sequences.at(-1) ?? 0
    await new Promise<void>((resolve, reject) => {
      this.#request = request({
        host: '127.0.0.1',
        port: this.#port,
        path: '/api/1/event?after=0',
        headers: {
          accept: 'text/event-stream',
          authorization: `Bearer ${token}`,
          ...(last === 0 ? {} : { 'last-event-id': String(last) }),
        },
      })
      this.#request.on('error', reject).on('response', response => {
        let text = ''
        this.connections += 1
        response.setEncoding('utf8').on('data', (part: string) => {
          text = this.#read(text + part)
        })
        response.on('close', resolve).on('error', reject)
      })
      this.#request.end()
    })
  }

  /** Takes the complete events out of the text; returns the rest. */
  #read(text: string): string {
    const parts = text.split('\n\n')
    for (const part of parts.slice(0, -1)) {
      const id = /^id: ?(\d+)$/m.exec(part)?.[1]
      if (id !== undefined) this.sequences.push(Number(id))
    }
    return parts.at(-1) ?? ''
  }
}
