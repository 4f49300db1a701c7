// Delivery receipts: from the driver, through the inbox, to the relay.
//
// 1. `trackReceipts` wraps the driver. When it has sent a text, the network's ids of the parts are
//    stored with the message, before the phone reports the success.
// 2. The driver calls `ReceiptInbox.onReceipt`. It resolves once the receipt is on the disk
//    (`openReceiptLog`), so that the driver may acknowledge it.
// 3. receipt-records.ts finds the message and part by line and id (id-forms.ts), whichever of
//    receipt and id comes first.
// 4. receipt-forwarder.ts reports receipts in batches and removes those that the relay has. One
//    that belongs to no sent text is dropped after ten minutes.

import { countSmsParts } from '../../domain/sms/sms-parts.js'
import type { Clock } from '../../util/async/clock.js'
import type { LogWriter } from '../../util/files/batched-log.js'
import { type OwnedLogOptions, openOwnedLog } from '../../util/files/owned-log.js'
import type {
  DeliveryReceipt,
  Driver,
  DriverMessage,
  DriverReceipt,
} from '../driver-port/driver.js'
import type { PhoneEvent } from '../events/phone-events.js'
import { canBeSameNumber } from './id-forms.js'
import {
  type ReceiptRecord,
  ReceiptRecords,
  type SentPart,
  type StoredReceipt,
} from './receipt-records.js'

export interface ReceiptStore extends LogWriter<ReceiptRecord> {
  readonly records: ReceiptRecords
}

interface ReceiptInboxOptions {
  /** Store of the receipts. @default memory, which a crash loses */
  readonly store?: ReceiptStore
  readonly onEvent: (event: PhoneEvent) => void
  readonly clock: Clock
}

export interface MatchedReceipt {
  readonly receipt: StoredReceipt
  readonly message: string
  readonly part?: number
  /** When the network settled the part, in milliseconds since the epoch. */
  readonly at: number
}

/** A text that is being sent, and what waits for its ids. */
interface Sending {
  readonly to: string
  readonly waiting: (() => void)[]
}

/** Milliseconds that a receipt waits for its text to be sent, and for the relay to know that. */
const matchTimeout = 600_000
const reportTimeout = 3_600_000
/** Receipts to store; the network keeps further ones until the relay has some of these. */
const maxReceipts = 100_000

export class ReceiptInbox {
  readonly #options: ReceiptInboxOptions
  readonly #store: ReceiptStore
  /** Receipts whose message was not sent for the relay: since when, and when to ask again. */
  readonly #retries = new Map<number, { readonly since: number; readonly at: number }>()
  readonly #sending = new Set<Sending>()
  #wake: () => void = () => {}

  constructor(options: ReceiptInboxOptions) {
    this.#options = options
    this.#store = options.store ?? createMemoryReceiptStore()
  }

  /** Notes that a text is being sent to a number; returns how to note the end. */
  beginSend(to: string): () => void {
    const sending: Sending = { to, waiting: [] }
    this.#sending.add(sending)
    return () => {
      this.#sending.delete(sending)
      for (const resume of sending.waiting) resume()
    }
  }

  /** Whether this phone sent the text of a receipt, as {@link DriverListener.isOwnReceipt}. */
  async isOwn(receipt: DeliveryReceipt, isCertain: boolean): Promise<boolean> {
    const { records } = this.#store
    if (records.knows(receipt, isCertain)) return true
    const sending = [...this.#sending].filter(({ to }) => canBeSameNumber(to, receipt.to))
    await Promise.all(
      sending.map(({ waiting }) => new Promise<void>(resolve => waiting.push(resolve))),
    )
    return sending.length > 0 && records.knows(receipt, isCertain)
  }

  /** Stores the network's ids of a sent text; one id for several parts is that of all of them. */
  async recordSent(
    message: DriverMessage,
    { networkIds = [], parts, line }: DriverReceipt,
  ): Promise<void> {
    const at = this.#options.clock.now()
    const sent = { message: message.id, to: message.destination, at }
    const isOfAll = networkIds.length === 1 && (parts ?? countSmsParts(message.text).parts) > 1
    const records = networkIds.map((id, index) => ({
      ...({ do: 'sent', id } as const),
      ...sent,
      ...(networkIds.length === 1 ? {} : { part: index + 1 }),
      ...(isOfAll ? { isOfAll } : {}),
      ...(line === undefined ? {} : { line }),
    }))
    const known = records.filter(({ id }) => id !== '')
    for (const record of known) this.#store.records.apply(record)
    await Promise.all(known.map(each => this.#store.appendWithRetry(each, true)))
    if (known.length > 0) this.#wake()
  }

  async onReceipt(receipt: DeliveryReceipt): Promise<void> {
    const { networkId = '', to, state } = receipt
    const { onEvent, clock } = this.#options
    const { records } = this.#store
    if (networkId === '' || records.isSettled(receipt)) {
      onEvent({ event: 'reported', to, state })
      return
    }
    if (records.receiptCount >= maxReceipts) throw new Error('Too many receipts are stored.')
    const cameAt = clock.now()
    const key = records.nextKey
    const record = { do: 'came', at: cameAt, ...receipt, networkId, key, cameAt } as const
    records.apply(record)
    const sent = records.getSentPart(key)
    const about = sent === undefined ? { to } : { to: sent.to, id: sent.message }
    onEvent({ event: 'reported', ...about, state })
    try {
      await this.#store.append(record)
    } catch (error) {
      records.removeReceipt(key)
      throw error
    }
    this.#wake()
  }

  get isEmpty(): boolean {
    return this.#store.records.isEmpty
  }

  /** The oldest receipts whose message is known and that the relay can be told now. */
  listReady(count: number): MatchedReceipt[] {
    const now = this.#options.clock.now()
    const ready: MatchedReceipt[] = []
    for (const { receipt, sent } of this.#store.records.entries()) {
      if (ready.length === count) break
      if (sent === undefined || (this.#retries.get(receipt.key)?.at ?? 0) > now) continue
      const { message, part } = sent
      const at = getSettledTime(receipt, sent)
      ready.push({ receipt, message, at, ...(part === undefined ? {} : { part }) })
    }
    return ready
  }

  /** Puts a receipt off whose message is not sent yet; false after an hour. */
  postpone({ key }: StoredReceipt, wait: number): boolean {
    const now = this.#options.clock.now()
    const { since } = this.#retries.get(key) ?? { since: now }
    if (now - since > reportTimeout) return false
    this.#retries.set(key, { since, at: now + wait })
    return true
  }

  async remove(receipts: readonly StoredReceipt[]): Promise<void> {
    if (receipts.length === 0) return
    const keys = receipts.map(({ key }) => key)
    for (const key of keys) this.#retries.delete(key)
    const record = { do: 'gone', keys } as const
    this.#store.records.apply(record)
    await this.#store.appendWithRetry(record, false)
  }

  /** Drops receipts that have waited ten minutes for their text to be sent. */
  async dropUnmatched(): Promise<void> {
    const { clock, onEvent } = this.#options
    const before = clock.now() - matchTimeout
    const expired = [...this.#store.records.entries()].filter(
      ({ receipt, sent }) => sent === undefined && receipt.cameAt <= before,
    )
    for (const { receipt } of expired) {
      const error = `No text that this phone sent has the network's id ${receipt.networkId}.`
      onEvent({ event: 'receipt-dropped', to: receipt.to, state: receipt.state, error })
    }
    await this.remove(expired.map(({ receipt }) => receipt))
  }

  async waitForChange(signal: AbortSignal): Promise<void> {
    await new Promise<void>(resolve => {
      this.#wake = resolve
      signal.addEventListener('abort', () => resolve(), { once: true })
      if (signal.aborted) resolve()
    })
  }
}

/** A network's own clock may have any time zone, but the time that passed on it counts. */
function getSettledTime({ at, elapsed }: StoredReceipt, sent: SentPart): number {
  return elapsed === undefined ? at : Math.min(sent.at + elapsed, at)
}

export function trackReceipts(driver: Driver, inbox: ReceiptInbox): Driver {
  return {
    name: driver.name,
    ...(driver.concurrency === undefined ? {} : { concurrency: driver.concurrency }),
    ...(driver.watches === undefined ? {} : { watches: driver.watches }),
    send: async (message, signal) => {
      const end = inbox.beginSend(message.destination)
      try {
        const receipt = await driver.send(message, signal)
        await inbox.recordSent(message, receipt)
        return receipt
      } finally {
        end()
      }
    },
    ...(driver.health && { health: async () => (await driver.health?.()) ?? { ok: true } }),
    ...(driver.readNetwork && { readNetwork: async () => (await driver.readNetwork?.()) ?? {} }),
    ...(driver.queryUssd && { queryUssd: driver.queryUssd.bind(driver) }),
    [Symbol.asyncDispose]: async () => await driver[Symbol.asyncDispose](),
  }
}

export async function openReceiptLog(
  path: string,
  options: Pick<OwnedLogOptions, 'owner' | 'warn' | 'compactAfter'>,
): Promise<ReceiptStore & AsyncDisposable> {
  const log = { ...options, path, kind: 'receipts', content: 'receipts' }
  return await openOwnedLog(() => new ReceiptRecords(), log)
}

function createMemoryReceiptStore(): ReceiptStore {
  const doNothing = async () => {}
  return { records: new ReceiptRecords(), append: doNothing, appendWithRetry: doNothing }
}
