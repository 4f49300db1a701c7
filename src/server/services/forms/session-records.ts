import { createHmac } from 'node:crypto'
import { openSealedText, sealText } from '../../../util/crypto/sealed-text.js'
import type { ServiceContext } from '../service-context.js'

interface SessionRecord {
  readonly until: number
  readonly value: unknown
}

/** Inputs of a person that are kept at most; a later one replaces one of another session. */
const maxInputs = 8

/** A record of the store, and the use for which it is encrypted. */
interface RecordPlace {
  readonly kind: 'session record' | 'form input'
  readonly key: string
  readonly use: string
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
    await this.#keep(session, toPlace(session, name), value, lifetime)
  }

  /** Reads what the session keeps by a name; undefined after its lifetime. */
  async find(session: string, name: string): Promise<unknown> {
    return await this.#find(session, toPlace(session, name))
  }

  /** Removes the record of a session by its name. */
  async remove(session: string, name: string): Promise<void> {
    await this.#remove(toPlace(session, name))
  }

  /**
   * Keeps the input of a form that was not sent, in place of an earlier one of the session. The
   * sessions of a person share a few places, and the store drops inputs before other records.
   * @param signer identifier of the person or account that signed in
   * @param lifetime milliseconds for which the session can read the input
   */
  async keepInput(
    session: string,
    signer: string,
    input: unknown,
    lifetime: number,
  ): Promise<void> {
    await this.#keep(session, toInputPlace(session, signer), input, lifetime)
  }

  /** Reads the input that the session keeps; undefined after its lifetime. */
  async findInput(session: string, signer: string): Promise<unknown> {
    return await this.#find(session, toInputPlace(session, signer))
  }

  /** Removes the input that the session keeps. */
  async removeInput(session: string, signer: string): Promise<void> {
    await this.#remove(toInputPlace(session, signer))
  }

  async #keep(
    secret: string,
    { kind, key, use }: RecordPlace,
    value: unknown,
    lifetime: number,
  ): Promise<void> {
    const { store, clock } = this.#context
    const until = clock.now() + lifetime
    const record: SessionRecord = { until, value }
    const sealed = await sealText(JSON.stringify(record), { secret, use })
    await store.limits.change(kind, key, until, () => sealed)
  }

  async #find(secret: string, { kind, key, use }: RecordPlace): Promise<unknown> {
    const { store, clock } = this.#context
    const sealed = await store.limits.get(kind, key)
    const text = sealed && (await openSealedText(sealed, { secret, use }))
    if (text === undefined) return undefined
    const record = JSON.parse(text) as SessionRecord
    return record.until > clock.now() ? record.value : undefined
  }

  async #remove({ kind, key }: RecordPlace): Promise<void> {
    await this.#context.store.limits.change(kind, key, 0, () => null)
  }
}

function toPlace(session: string, name: string): RecordPlace {
  return { kind: 'session record', key: toKey(session, name), use: name }
}

function toInputPlace(session: string, signer: string): RecordPlace {
  const number = Buffer.from(toKey(session, 'input'), 'base64url').readUInt32BE() % maxInputs
  return { kind: 'form input', key: `${signer} ${number}`, use: 'input' }
}

function toKey(session: string, name: string): string {
  return createHmac('sha256', session).update(`smsrelay record ${name}`).digest('base64url')
}
