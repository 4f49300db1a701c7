import type { BatchOptions, NextBatch } from '../../../src/client/call-options.js'
import type { ReportResult } from '../../../src/contract/message-batch-schema.js'
import type { MessageFields } from '../../../src/contract/message-schema.js'
import { RelayError } from '../../../src/errors.js'
import type { PhoneClient } from '../../../src/phone/relay/phone-client.js'
import type { PhoneReport } from '../../../src/phone/relay/relay-steps.js'
import type { Clock } from '../../../src/util/async/clock.js'
import { message } from '../scripted-client.js'

/** What a fault does to a request: the relay does not get it, or its reply is lost or wrong. */
export type RelayFault = 'lost-request' | 'lost-reply' | 'busy' | 'wrong-reply' | 'busy-items'

/** A message at the relay, in at-least-once mode. */
interface Entry {
  readonly fields: MessageFields
  claim: number | undefined
  keys: Set<string>
  status: 'N' | 'E' | 'S' | 'F'
}

/** A small relay in memory for one phone; faults happen to its requests in turn. */
export class ModelRelay {
  readonly entries = new Map<string, Entry>()
  /** Called when a claim found no message. */
  onEmpty: () => void = () => {}
  readonly #clock: Clock
  readonly #faults: (RelayFault | undefined)[]
  #claims = 0

  constructor(clock: Clock, faults: readonly (RelayFault | undefined)[]) {
    this.#clock = clock
    this.#faults = [...faults]
  }

  add(id: string, destination: string): void {
    const fields = message(id, { destination })
    this.entries.set(id, { fields, claim: undefined, keys: new Set(), status: 'N' })
  }

  get isDone(): boolean {
    return [...this.entries.values()].every(({ status }) => status === 'S' || status === 'F')
  }

  /** Ids of the messages that the phone holds. */
  get leased(): string[] {
    return [...this.entries].flatMap(([id, { claim }]) => (claim === undefined ? [] : [id]))
  }

  /** Creates the client of a phone; once it is dead, its requests have no effect and no reply. */
  createClient(isDead: () => boolean): PhoneClient {
    const never = new Promise<never>(() => {})
    const live = async <T>(work: () => Promise<T>): Promise<T> => {
      if (isDead()) return await never
      const result = await work()
      return isDead() ? await never : result
    }
    const unused = async (): Promise<never> => {
      throw new Error('The phone took a single step at a relay with batches.')
    }
    return {
      messages: {
        reportDelivery: unused,
        ...{ next: unused, reportSuccess: unused, reportFailure: unused, release: unused },
        nextBatch: async options =>
          await live(async () => await this.#request(async () => await this.#claim(options))),
        report: async outcomes =>
          await live(async () => await this.#report(outcomes as readonly PhoneReport[])),
        get: async id => await live(async () => await this.#request(async () => this.#get(id))),
      },
      receivedTexts: { report: unused },
      status: { reportPresence: async () => {} },
    }
  }

  async #request<T>(work: () => Promise<T>, fault = this.#faults.shift()): Promise<T> {
    await this.#clock.sleep(5)
    if (fault === 'lost-request') throw new RelayError('unreachable', 'lost')
    if (fault === 'busy') throw new RelayError('too_many_requests', 'busy', { retryAfter: 2 })
    const reply = await work()
    if (fault === 'lost-reply') throw new RelayError('unreachable', 'lost')
    if (fault === 'wrong-reply') throw new RelayError('invalid_reply', 'not JSON')
    return reply
  }

  async #claim(options: BatchOptions): Promise<NextBatch | undefined> {
    const { batch, since, wait = 0, signal } = options
    const due = [...this.entries.values()].filter(each => isDue(each, since))
    if (due.length === 0) {
      this.onEmpty()
      if (wait > 0) await this.#clock.sleep(wait * 1000, signal)
      signal?.throwIfAborted()
      return undefined
    }
    // Messages that the phone holds come first.
    const order = ({ claim }: Entry) => claim ?? Number.POSITIVE_INFINITY
    const given = due.sort((a, b) => Math.sign(order(a) - order(b)) || 0).slice(0, batch)
    for (const each of given) each.claim ??= ++this.#claims
    const claim = Math.max(...given.map(each => each.claim ?? 0))
    return { messages: given.map(({ fields }) => fields), claim }
  }

  async #report(outcomes: readonly PhoneReport[]): Promise<readonly ReportResult[]> {
    const fault = this.#faults.shift()
    return await this.#request(async () => {
      const busy = { status: 503, error: 'unavailable', error_description: 'busy' }
      return outcomes.map((outcome, index) =>
        fault === 'busy-items' && index % 2 === 0
          ? { id: outcome.id, ...busy }
          : this.#apply(outcome),
      )
    }, fault)
  }

  #apply({ id, idempotency_key: key, parts, error, release }: PhoneReport): ReportResult {
    const entry = this.#find(id)
    const accepted = { id, status: 200, message: { ...entry.fields, status: entry.status } }
    // Without any of these, the lease is renewed.
    if (release === undefined && parts === undefined && error === undefined) return accepted
    if (key !== undefined && entry.keys.has(key)) return accepted
    if (key !== undefined) entry.keys.add(key)
    entry.claim = undefined
    if (parts !== undefined) entry.status = 'S'
    // In at-least-once mode a message with an unknown outcome or a failure is sent again.
    if (error !== undefined) entry.status = 'E'
    return accepted
  }

  #get(id: string): MessageFields {
    const { fields, status } = this.#find(id)
    return { ...fields, status }
  }

  #find(id: string): Entry {
    const entry = this.entries.get(id)
    if (entry === undefined) throw new RelayError('not_a_message', 'no such message')
    return entry
  }
}

function isDue({ status, claim }: Entry, since: number): boolean {
  return (status === 'N' || status === 'E') && (claim === undefined || claim > since)
}
