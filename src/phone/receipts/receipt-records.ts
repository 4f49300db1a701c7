import type { DeliveryReceipt } from '../driver-port/driver.js'
import { canBeSameNumber, listIdForms, normalizeNetworkId } from './id-forms.js'

/** A part of a text that a network accepted, by the id that it has there. */
export interface SentPart {
  readonly id: string
  readonly message: string
  /** The sent part with this network id, from 1; absent if the id is that of all parts. */
  readonly part?: number
  /** Whether the id is that of several parts, each of which may have a receipt. */
  readonly isOfAll?: boolean
  readonly to: string
  readonly line?: string
  readonly at: number
}

export interface StoredReceipt extends Omit<DeliveryReceipt, 'networkId' | 'at'> {
  /** Number of the stored receipt; it only grows. */
  readonly key: number
  readonly networkId: string
  /** When the network settled the part, or else when the receipt reached the phone. */
  readonly at: number
  readonly cameAt: number
}

export type ReceiptRecord =
  | ({ readonly do: 'sent' } & SentPart)
  | ({ readonly do: 'came' } & StoredReceipt)
  | { readonly do: 'gone'; readonly keys: readonly number[] }
  | { readonly do: 'settled'; readonly parts: readonly (readonly [key: string, to: string])[] }

/** A sent part that a receipt can be about; a higher rank is more certain. */
interface Match {
  readonly sent: SentPart | undefined
  readonly rank: number
}

interface ReceiptEntry {
  readonly receipt: StoredReceipt
  match: Match
}

const noMatch: Match = { sent: undefined, rank: 0 }
const sameNumber = 2
const certain = 3

interface ReceiptLimits {
  /** Sent parts to remember, and for how long in milliseconds. */
  readonly maxSent: number
  readonly maxAge: number
  readonly maxSettled: number
}

const defaultLimits = { maxSent: 200_000, maxAge: 7 * 86_400_000, maxSettled: 5000 }

export class ReceiptRecords {
  readonly #limits: ReceiptLimits
  /** By line and normalized id, oldest first. */
  readonly #sent = new Map<string, SentPart>()
  /** The numbers of settled parts, by line and normalized id, oldest first. */
  readonly #settled = new Map<string, string>()
  readonly #receipts = new Map<number, ReceiptEntry>()
  /** Receipts without a certain match, by line and normalized id. */
  readonly #uncertain = new Map<string, ReceiptEntry[]>()
  #lastKey = 0

  constructor(limits: ReceiptLimits = defaultLimits) {
    this.#limits = limits
  }

  get sentCount(): number {
    return this.#sent.size
  }

  get receiptCount(): number {
    return this.#receipts.size
  }

  get isEmpty(): boolean {
    return this.#receipts.size === 0
  }

  get nextKey(): number {
    return this.#lastKey + 1
  }

  apply(record: ReceiptRecord): void {
    if (record.do === 'sent') this.#addSent(record)
    else if (record.do === 'came') this.#addReceipt(record)
    else if (record.do === 'gone') for (const key of record.keys) this.#settleReceipt(key)
    else for (const [key, to] of record.parts) this.#settle(key, to)
  }

  isSettled({ networkId = '', line }: DeliveryReceipt): boolean {
    return this.#settled.has(toPartKey(line, normalizeNetworkId(networkId)))
  }

  /** Whether a receipt is about a sent part, or a part that another receipt has settled. */
  knows(receipt: DeliveryReceipt, isCertain: boolean): boolean {
    const { networkId = '', line, to } = receipt
    const settled = this.#settled.get(toPartKey(line, normalizeNetworkId(networkId)))
    if (settled !== undefined && (isCertain || canBeSameNumber(settled, to))) return true
    return this.#findMatch(receipt).rank >= (isCertain ? 1 : sameNumber)
  }

  getSentPart(key: number): SentPart | undefined {
    return this.#receipts.get(key)?.match.sent
  }

  /** Removes a receipt that was not stored, so that it can come again. */
  removeReceipt(key: number): void {
    const entry = this.#receipts.get(key)
    if (entry === undefined) return
    this.#receipts.delete(key)
    const { line, networkId } = entry.receipt
    const id = toPartKey(line, normalizeNetworkId(networkId))
    const rest = (this.#uncertain.get(id) ?? []).filter(each => each !== entry)
    if (rest.length > 0) this.#uncertain.set(id, rest)
    else this.#uncertain.delete(id)
  }

  /** The stored receipts, oldest first, each with the sent part that it is about. */
  *entries(): Iterable<{ readonly receipt: StoredReceipt; readonly sent: SentPart | undefined }> {
    for (const { receipt, match } of this.#receipts.values()) yield { receipt, sent: match.sent }
  }

  /** The shortest sequence of records that results in this state. */
  *toRecords(): Iterable<ReceiptRecord> {
    if (this.#settled.size > 0) yield { do: 'settled', parts: [...this.#settled] }
    for (const part of this.#sent.values()) yield { do: 'sent', ...part }
    for (const { receipt } of this.#receipts.values()) yield { do: 'came', ...receipt }
  }

  #addSent({ do: _, ...part }: SentPart & { readonly do: 'sent' }): void {
    const key = toPartKey(part.line, normalizeNetworkId(part.id))
    this.#sent.delete(key)
    this.#settled.delete(key)
    this.#sent.set(key, part)
    for (const [oldest, { at }] of this.#sent) {
      if (this.#sent.size <= this.#limits.maxSent && at > part.at - this.#limits.maxAge) break
      this.#sent.delete(oldest)
    }
    if (this.#uncertain.size > 0) this.#matchEarlier(part)
  }

  /** Receipts can come before the response that names the id. */
  #matchEarlier(part: SentPart): void {
    const keys = this.#listKeys(part.id, part.line)
    for (const entry of keys.flatMap(key => this.#uncertain.get(key) ?? [])) {
      const match = rankMatch(entry.receipt, part)
      if (match.rank > entry.match.rank) entry.match = match
    }
  }

  #addReceipt({ do: _, ...receipt }: StoredReceipt & { readonly do: 'came' }): void {
    this.#lastKey = Math.max(this.#lastKey, receipt.key)
    const entry: ReceiptEntry = { receipt, match: this.#findMatch(receipt) }
    this.#receipts.set(receipt.key, entry)
    const key = toPartKey(receipt.line, normalizeNetworkId(receipt.networkId))
    if (entry.match.rank === certain) return
    this.#uncertain.set(key, [...(this.#uncertain.get(key) ?? []), entry])
  }

  #findMatch(receipt: DeliveryReceipt): Match {
    const { networkId = '', line } = receipt
    const exact = this.#sent.get(toPartKey(line, normalizeNetworkId(networkId)))
    const match = exact === undefined ? noMatch : rankMatch(receipt, exact)
    return match.rank === certain ? match : this.#findBestMatch(receipt)
  }

  #findBestMatch(receipt: DeliveryReceipt): Match {
    const parts = this.#listKeys(receipt.networkId ?? '', receipt.line)
      .map(key => this.#sent.get(key))
      .filter(part => part !== undefined)
    return parts
      .map(part => rankMatch(receipt, part))
      .reduce((best, each) => (each.rank > best.rank ? each : best), noMatch)
  }

  #settleReceipt(key: number): void {
    const { receipt, match } = this.#receipts.get(key) ?? {}
    this.removeReceipt(key)
    const sent = match?.sent
    if (receipt === undefined || sent === undefined || receipt.state === 'pending') return
    // Another part of the text may be undelivered.
    if (sent.isOfAll === true && receipt.state === 'delivered') return
    const part = toPartKey(sent.line, normalizeNetworkId(sent.id))
    if (this.#sent.get(part) === sent) this.#sent.delete(part)
    const id = toPartKey(receipt.line, normalizeNetworkId(receipt.networkId))
    for (const each of new Set([part, id])) this.#settle(each, sent.to)
  }

  #settle(key: string, to: string): void {
    this.#settled.delete(key)
    this.#settled.set(key, to)
    const [oldest] = this.#settled.keys()
    if (this.#settled.size > this.#limits.maxSettled && oldest !== undefined)
      this.#settled.delete(oldest)
  }

  #listKeys(id: string, line: string | undefined): string[] {
    return listIdForms(normalizeNetworkId(id)).map(form => toPartKey(line, form))
  }
}

function toPartKey(line: string | undefined, id: string): string {
  return `${line ?? ''} ${id}`
}

/**
 * How certain it is that a receipt is about a part. Another form of its id can be the id of another
 * part, so then the numbers must match, too.
 */
function rankMatch(receipt: DeliveryReceipt, sent: SentPart): Match {
  const isSameForm = normalizeNetworkId(receipt.networkId ?? '') === normalizeNetworkId(sent.id)
  const isSameNumber = canBeSameNumber(receipt.to, sent.to)
  const rank = (isSameNumber ? sameNumber : 0) + (isSameForm ? 1 : 0)
  return rank === 0 ? noMatch : { sent, rank }
}
