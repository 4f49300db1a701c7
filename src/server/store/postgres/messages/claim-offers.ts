import type { Message } from '../../../../domain/message/message.js'
import { LruMap } from '../../../../util/collections/lru-map.js'
import type { Connection, Statement } from '../connection/statement.js'
import { formatNumbers, formatTexts } from '../groups/array-literal.js'
import { Grouper } from '../groups/grouper.js'
import { type MessageDoc, toLease, toMessage } from '../message-rows/message-row.js'
import type { ClaimMarks } from './claim-marks.js'
import { claimBatches, claimMessages, type OfferRow } from './claim-statement.js'

/** A claim in a group; `wanted` and `since` are those of a claim of a batch. */
export interface OfferRequest {
  readonly account: string
  readonly holder: string
  readonly now: number
  /** When the leases of the claim end, in milliseconds since the epoch. */
  readonly until: number
  readonly batch?: { readonly wanted: number; readonly since: number }
}

/** A message that the database offers to a claim. */
export interface Offer {
  readonly id: string
  /** The message as it was, and its version now; absent if the statement did not lease it. */
  readonly leased?: { readonly message: Message; readonly version: number }
  /** Number of the lease in a batch. */
  readonly claim: number | undefined
  /** Whether the message is not leased because of a Do Not Text list. */
  readonly blocked: boolean
}

export interface ClaimOffersContext {
  readonly connection: Connection
  readonly retry: <T>(work: () => Promise<T>) => Promise<T>
  readonly newOp: () => string
  readonly marks: ClaimMarks
}

/** What a statement offers; nothing if the claim must be repeated. */
interface Offered {
  readonly offers: Offer[]
  /** Where the statement started to look for messages. */
  readonly mark: number
  shouldRepeat: boolean
}

/** A request in a group; a full one looks at all waiting messages. */
interface GroupedRequest extends OfferRequest {
  readonly isFull: boolean
}

/** The number of claims of a token that this node never saw. */
const unknownTurn = -1
const maxTurns = 10_000

/** Asks the database for messages for claims, in groups: for one message each, or for batches. */
export class ClaimOffers {
  readonly #context: ClaimOffersContext
  /** How often a token claimed; null if the database has no such token. */
  readonly #turns = new LruMap<string, number | null>(maxTurns, () => 1)
  readonly #single = this.#createGrouper(claimMessages)
  readonly #batches = this.#createGrouper(claimBatches)

  constructor(context: ClaimOffersContext) {
    this.#context = context
  }

  /** Leases messages for a phone in the database; it gets nothing else at the same time. */
  async request(request: OfferRequest): Promise<readonly Offer[]> {
    const { account, holder, batch } = request
    const grouper = batch === undefined ? this.#single : this.#batches
    for (let isFull = false; ; ) {
      const { offers, mark, shouldRepeat } = await grouper.add({ ...request, isFull })
      // A batch is only for a token that exists.
      if (shouldRepeat && (batch === undefined || this.#turns.get(holder) !== null)) continue
      if (offers.length > 0 || mark === 0) {
        if (offers.length === 0) this.#context.marks.forget(account)
        return offers
      }
      isFull = true
    }
  }

  #createGrouper(statement: Statement): Grouper<GroupedRequest, Offered> {
    return new Grouper({
      send: async requests => await this.#send(statement, requests),
      getKey: ({ holder }) => holder,
    })
  }

  async #send(statement: Statement, requests: readonly GroupedRequest[]): Promise<Offered[]> {
    const { connection, retry, newOp, marks } = this.#context
    const op = newOp()
    const starts = requests.map(({ account, isFull }) => (isFull ? 0 : marks.get(account)))
    const scan = marks.begin()
    const found = new Map<string, number>()
    try {
      const rows = await retry(async () => {
        const values = this.#encode(requests, op, starts)
        return await connection.query<OfferRow>(statement, values, requests.length)
      })
      return this.#toOffered(requests, rows, starts, found)
    } finally {
      marks.end(scan, found)
    }
  }

  #toOffered(
    requests: readonly GroupedRequest[],
    rows: readonly OfferRow[],
    starts: readonly number[],
    found: Map<string, number>,
  ): Offered[] {
    for (const { holder } of requests) {
      const turn = this.#turns.get(holder)
      if (typeof turn === 'number') this.#turns.set(holder, turn + 1)
    }
    const offered = starts.map(mark => ({ offers: [] as Offer[], mark, shouldRepeat: false }))
    for (const row of rows) {
      const { account, holder } = requests[row.n - 1] as GroupedRequest
      const own = offered[row.n - 1] as Offered
      if (row.id === null) {
        this.#turns.set(holder, row.turn)
        own.shouldRepeat = true
        continue
      }
      own.offers.push(toOffer(row, row.id, account))
      if (row.available_at === null) continue
      found.set(account, Math.min(row.available_at, found.get(account) ?? row.available_at))
    }
    return offered
  }

  #encode(requests: readonly GroupedRequest[], op: string, starts: readonly number[]): unknown[] {
    const turns = requests.map(({ holder, batch }) => {
      const turn = this.#turns.get(holder)
      return turn === null && batch === undefined ? undefined : (turn ?? unknownTurn)
    })
    const values = [
      formatTexts(requests.map(({ account }) => account)),
      formatTexts(requests.map(({ holder }) => holder)),
      formatNumbers(requests.map(({ now }) => now)),
      formatNumbers(requests.map(({ until }) => until)),
      formatNumbers(turns),
      op,
      formatNumbers(starts),
    ]
    if (requests[0]?.batch === undefined) return values
    return [
      ...values,
      formatNumbers(requests.map(({ batch }) => batch?.wanted)),
      formatNumbers(requests.map(({ batch }) => batch?.since)),
    ]
  }
}

function toOffer(row: OfferRow, id: string, account: string): Offer {
  const claim = row.claim ?? undefined
  const { blocked } = row
  if (row.version === null || row.doc === null) return { id, claim, blocked }
  const message = toMessage(account, id, row.doc as MessageDoc)
  const lease = toLease(row.was_holder, row.was_until, row.was_claim)
  if (lease !== undefined) message.lease = lease
  if (row.was_last_holder !== null) message.lastHolder = row.was_last_holder
  return { id, claim, blocked, leased: { message, version: row.version } }
}
