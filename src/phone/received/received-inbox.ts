// Received texts: from the driver, through the inbox, to the relay.
//
// 1. A driver calls `ReceivedInbox.onText` for each text or part. It resolves once the text is
//    stored (owned-log.ts), so that the driver may delete it on the SIM or acknowledge it.
// 2. The inbox drops repeated texts (received-records.ts) and joins parts (part-assembler.ts). A
//    text is known by sender, network's time, words and part, wherever it comes from.
// 3. What is no text of a person is ignored; a notification becomes an MMS (read-content.ts).
// 4. A complete text is emitted as an event and queued. received-forwarder.ts reports the texts in
//    order and removes each from the store once the relay has it.

import type { Clock } from '../../util/async/clock.js'
import { hashText } from '../../util/crypto/secrets.js'
import type { LogWriter } from '../../util/files/batched-log.js'
import { type OwnedLogOptions, openOwnedLog } from '../../util/files/owned-log.js'
import type {
  DriverListener,
  IgnoredSms,
  IncomingText,
  UndecodableText,
} from '../driver-port/driver.js'
import type { PhoneEvent } from '../events/phone-events.js'
import { type CompleteText, PartAssembler } from './part-assembler.js'
import { readContent } from './read-content.js'
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

const repeatMark = ' '
/** Milliseconds to wait for the missing parts of a received text. */
const partsTimeout = 86_400_000

export class ReceivedInbox implements Omit<DriverListener, 'onReceipt'> {
  readonly #options: ReceivedInboxOptions
  readonly #store: ReceivedStore
  readonly #assembler = new PartAssembler()
  readonly #complete: CompleteText[] = []
  readonly #storing = new Map<string, Promise<void>>()
  #ignored = 0
  #wake: () => void = () => {}

  constructor(options: ReceivedInboxOptions) {
    this.#options = options
    this.#store = options.store ?? createMemoryReceivedStore()
    for (const part of [...this.#store.records.parts()]) {
      const text = this.#assembler.add(part)
      if (text !== undefined) this.#handleComplete(text, false)
    }
  }

  async onText({ ref, ...text }: IncomingText): Promise<void> {
    const key = this.#createKey(text, ref)
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

  onIgnored(ignored: IgnoredSms): void {
    this.#ignored += 1
    this.#options.onEvent({ event: 'ignored', ...ignored, count: this.#ignored })
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
      if (text.keys.every(isRepeated)) void this.#forget(text.keys)
      else this.#handleComplete(text)
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

  #handleComplete(joined: CompleteText, isNew = true): void {
    const { onEvent, forward } = this.#options
    const text = readContent(joined)
    if (typeof text === 'string') {
      const { from, line } = joined
      this.onIgnored({ from, content: text, ...(line === undefined ? {} : { line }) })
    }
    if (typeof text === 'string' || this.#isKnown(text)) return void this.#forget(joined.keys)
    if (isNew) onEvent({ event: 'received', ...pickEventFields(text) })
    if (!forward) return void this.#forget(text.keys)
    this.#complete.push(text)
    this.#wake()
  }

  /** Whether an MMS was notified before: its key is not that of a part. */
  #isKnown({ key }: CompleteText): boolean {
    const { records } = this.#store
    if (records.isPart(key)) return false
    return records.has(key) || this.#complete.some(each => each.keys.includes(key))
  }

  /**
   * The key of a text, or part. Parts without a time get the same key until their text is complete.
   * A part that comes later may belong to another text, so it gets a key of its own.
   */
  #createKey(text: Omit<IncomingText, 'ref'>, ref: string | undefined): string {
    const { line = '', sim = '', from, at, part, text: words } = text
    const identity = ref === undefined ? [from, at, words, part ?? null] : ref
    if (ref === undefined && at === 0 && part === undefined) return crypto.randomUUID()
    const key = hashText(JSON.stringify([this.#getStart(), line, sim, identity]))
    const isOver = ref === undefined && at === 0 && this.#store.records.isGone(key)
    return isOver ? `${key}${repeatMark}${crypto.randomUUID()}` : key
  }

  /** Tells this phone from another one of the account, which may receive an equal text. */
  #getStart(): number {
    const name = 'texts'
    if (this.#store.records.getFirstRun(name) === undefined) void this.getFirstRun(name)
    return this.#store.records.getFirstRun(name) ?? 0
  }

  async #forget(keys: readonly string[]): Promise<void> {
    const record = { do: 'gone', keys } as const
    this.#store.records.apply(record)
    await this.#store.appendWithRetry(record, true)
  }
}

/** Whether a part came again after its text was complete. */
function isRepeated(key: string): boolean {
  return key.includes(repeatMark)
}

function pickEventFields({ from, text, to, sim, line, mms }: CompleteText) {
  return {
    ...{ from, text },
    ...(to === undefined ? {} : { to }),
    ...(sim === undefined ? {} : { sim }),
    ...(line === undefined ? {} : { line }),
    ...(mms === undefined ? {} : { kind: 'mms' as const, ...mms }),
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
