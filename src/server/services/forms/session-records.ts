import { createHmac } from 'node:crypto'
import { openSealedText, sealText } from '../../../util/crypto/sealed-text.js'
import type { ServiceContext } from '../service-context.js'

interface SessionRecord {
  readonly until: number
  readonly value: unknown
}

/**
 * What the dashboard keeps for a session for a short time, on all nodes of the services. The secret
 * of the session encrypts it, which no node stores: only a request with its cookie can read it.
 */
export class SessionRecords {
  readonly #context: Pick<ServiceContext, 'store' | 'clock'>

  constructor(context: Pick<ServiceContext, 'store' | 'clock'>) {
    this.#context = context
  }

  /**
   * Keeps a value that JSON can express, in place of one with the same name. The store drops the
   * oldest records when it has many.
   * @param lifetime milliseconds for which the session can read the record
   */
  async keep(session: string, name: string, value: unknown, lifetime: number): Promise<void> {
    const { store, clock } = this.#context
    const until = clock.now() + lifetime
    const record: SessionRecord = { until, value }
    const sealed = await sealText(JSON.stringify(record), { secret: session, use: name })
    await store.limits.change('session record', toKey(session, name), until, () => sealed)
  }

  /** Reads what the session keeps by a name; undefined after its lifetime. */
  async find(session: string, name: string): Promise<unknown> {
    const sealed = await this.#context.store.limits.get('session record', toKey(session, name))
    if (sealed === undefined) return undefined
    const text = await openSealedText(sealed, { secret: session, use: name })
    const record = text === undefined ? undefined : (JSON.parse(text) as SessionRecord)
    return record !== undefined && record.until > this.#context.clock.now()
      ? record.value
      : undefined
  }

  /** Removes the record of a session by its name. */
  async remove(session: string, name: string): Promise<void> {
    await this.#context.store.limits.change('session record', toKey(session, name), 0, () => null)
  }
}

function toKey(session: string, name: string): string {
  return createHmac('sha256', session).update(`smsrelay record ${name}`).digest('base64url')
}
