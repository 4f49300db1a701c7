// Received texts: from the driver, through the inbox, to the relay.
//
// 1. A driver calls `ReceivedInbox.onText` for each text or part. It resolves once the text is
//    stored (owned-log.ts), so that the driver may delete it on the SIM or acknowledge it.
// 2. The inbox drops repeated texts (received-records.ts) and joins parts (part-assembler.ts).
// 3. A complete text is emitted as an event and queued. received-forwarder.ts reports the texts in
//    order and removes each from the store once the relay has it.

import type { Clock } from '../../util/async/clock.js'
import { hashText } from '../../util/crypto/secrets.js'
import type { LogWriter } from '../../util/files/batched-log.js'
import { type OwnedLogOptions, openOwnedLog } from '../../util/files/owned-log.js'
import type { DriverListener, IncomingText, UndecodableText } from '../driver-port/driver.js'
import type { PhoneEvent } from '../events/phone-events.js'
import { type CompleteText, PartAssembler } from './part-assembler.js'
import { type ReceivedPart, type ReceivedRecord, ReceivedRecords } from './received-records.js'

export interface ReceivedStore extends LogWriter<ReceivedRecord> {
  readonly records: ReceivedRecords
}

interface ReceivedInboxOptions {
  /** Store of the received texts. @default memory, which a crash loses */
  readonly store?: ReceivedStore
  readonly onEvent: (event: PhoneEvent) => void
  /** Whether received texts are stored until they are removed, to be forwarded to the relay. */
  readonly forward: boolean
  readonly clock: Clock
}

/** Milliseconds to wait for the missing parts of a received text. */
const partsTimeout = 86_400_000

export class ReceivedInbox implements Omit<DriverListener, 'onReceipt'> {
  readonly #options: ReceivedInboxOptions
  readonly #store: ReceivedStore
  readonly #assembler = new PartAssembler()
  readonly #complete: CompleteText[] = []
  readonly #storing = new Map<string, Promise<void>>()
  #wake: () => void = () => {}

  constructor(options: ReceivedInboxOptions) {
    this.#options = options
    this.#store = options.store ?? createMemoryReceivedStore()
    for (const part of this.#store.records.parts()) this.#queue(this.#assembler.add(part))
  }

  async onText({ ref, ...text }: IncomingText): Promise<void> {
    const key =
      ref === undefined ? crypto.randomUUID() : hashText(JSON.stringify([text.line ?? '', ref]))
    const storing = this.#storing.get(key)
    if (storing !== undefined || this.#store.records.has(key)) return await storing
    const stored = this.#storePart({ ...text, key, cameAt: this.#options.clock.now() })
    this.#storing.set(key, stored)
    try {
      await stored
    } finally {
      this.#storing.delete(key)
    }
  }

  /** Emits each PDU once: the driver keeps it, and finds it again. */
  async onUndecodable({ hex, error, line }: UndecodableText): Promise<void> {
    const key = hashText(JSON.stringify(['undecodable', line ?? '', hex]))
    if (this.#store.records.has(key)) return
    const { onEvent } = this.#options
    onEvent({ event: 'undecodable', hex, error, ...(line === undefined ? {} : { line }) })
    await this.#forget([key])
  }

  async getFirstRun(name: string): Promise<number> {
    const { records } = this.#store
    const earlier = records.getFirstRun(name)
    if (earlier !== undefined) return earlier
    const record = { do: 'since', name, at: this.#options.clock.now() } as const
    records.apply(record)
    await this.#store.appendWithRetry(record, true)
    return record.at
  }

  get hasIncomplete(): boolean {
    return this.#assembler.hasIncomplete
  }

  /**
   * The oldest complete received text to forward. Completes texts whose parts are missing for a
   * day.
   */
  getNext(): CompleteText | undefined {
    const { clock, forward } = this.#options
    for (const text of this.#assembler.takeExpired(clock.now() - partsTimeout)) {
      this.#handleComplete(text)
    }
    return forward ? this.#complete[0] : undefined
  }

  async remove({ key, keys }: CompleteText): Promise<void> {
    if (this.#complete[0]?.key === key) this.#complete.shift()
    await this.#forget(keys)
  }

  async waitForChange(signal: AbortSignal): Promise<void> {
    await new Promise<void>(resolve => {
      this.#wake = resolve
      signal.addEventListener('abort', () => resolve(), { once: true })
      if (signal.aborted) resolve()
    })
  }

  async #storePart(part: ReceivedPart): Promise<void> {
    const { records } = this.#store
    const record = { do: 'came', ...part } as const
    // Applied first, because the log of received texts may be rewritten from the records while it
    // is appended to.
    records.apply(record)
    try {
      await this.#store.append(record)
    } catch (error) {
      records.removePart(part.key)
      throw error
    }
    const complete = this.#assembler.add(part)
    if (complete !== undefined) this.#handleComplete(complete)
    else this.#wake()
  }

  #handleComplete(text: CompleteText): void {
    const { onEvent, forward } = this.#options
    onEvent({ event: 'received', from: text.from, text: text.text })
    if (forward) this.#queue(text)
    else void this.#forget(text.keys)
  }

  #queue(text: CompleteText | undefined): void {
    if (text === undefined) return
    this.#complete.push(text)
    this.#wake()
  }

  async #forget(keys: readonly string[]): Promise<void> {
    const record = { do: 'gone', keys } as const
    this.#store.records.apply(record)
    await this.#store.appendWithRetry(record, true)
  }
}

export function createMemoryReceivedStore(): ReceivedStore {
  const doNothing = async () => {}
  return { records: new ReceivedRecords(), append: doNothing, appendWithRetry: doNothing }
}

export async function openReceivedLog(
  path: string,
  options: Pick<OwnedLogOptions, 'owner' | 'warn' | 'compactAfter'>,
): Promise<ReceivedStore & AsyncDisposable> {
  const log = { ...options, path, kind: 'received', content: 'texts' }
  return await openOwnedLog(() => new ReceivedRecords(), log)
}
