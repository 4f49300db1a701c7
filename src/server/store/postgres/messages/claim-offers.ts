import type { Message } from '../../../../domain/message/message.js'
import { LruMap } from '../../../../util/collections/lru-map.js'
import type { Connection, Statement } from '../connection/statement.js'
import { formatNumbers, formatTexts } from '../groups/array-literal.js'
import { Grouper } from '../groups/grouper.js'
import { type MessageDoc, toLease, toMessage } from '../message-rows/message-row.js'
import { type ClaimMarks, getHeldMark } from './claim-marks.js'
import { claimBatches, claimMessages, type OfferRow, takeTokens } from './claim-statement.js'

/** A claim in a group; `wanted` and `since` are those of a claim of a batch. */
export interface OfferRequest {
  readonly account: string
  readonly holder: string
  readonly now: number
  readonly until: number
  readonly batch?: { readonly wanted: number; readonly since: number }
}

export interface Offer {
  readonly id: string
  /** The message as it was, and its version now; absent if the statement did not lease it. */
  readonly leased?: { readonly message: Message; readonly version: number }
  readonly claim: number | undefined
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
  readonly isComplete: boolean
  shouldRepeat: boolean
}

interface GroupedRequest extends OfferRequest {
  readonly isFull: boolean
}

const noTurn = -1
const maxTurns = 10_000

/** Where the claims of a group start to look, by place. */
interface Starts {
  readonly due: readonly number[]
  readonly held: readonly number[]
}

export class ClaimOffers {
  readonly #context: ClaimOffersContext
  /** With which number this node took a token; null if the database has no such token. */
  readonly #turns = new LruMap<string, number | null>(maxTurns, () => 1)
  readonly #single = this.#createGrouper(claimMessages)
  readonly #batches = this.#createGrouper(claimBatches)

  constructor(context: ClaimOffersContext) {
    this.#context = context
  }

  /** Leases messages for a phone in the database; it gets nothing else at the same time. */
  async request(request: OfferRequest): Promise<readonly Offer[]> {
    const { account, holder, batch } = request
    const { marks } = this.#context
    const grouper = batch === undefined ? this.#single : this.#batches
    for (let isFull = false; ; ) {
      const { offers, isComplete, shouldRepeat } = await grouper.add({ ...request, isFull })
      // A batch is only for a token that exists.
      if (shouldRepeat && (batch === undefined || this.#turns.get(holder) !== null)) continue
      if (offers.length > 0) return offers
      marks.due.forget(account)
      marks.held.forget(holder)
      if (isComplete) return []
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
    const { retry, newOp, marks } = this.#context
    const op = newOp()
    const starts = this.#getStarts(requests)
    const scans = { due: marks.due.begin(), held: marks.held.begin() }
    const found = { due: new Map<string, number>(), held: new Map<string, number>() }
    try {
      const rows = await retry(async () => await this.#claim(statement, requests, op, starts))
      return this.#toOffered(requests, rows, starts, found)
    } finally {
      marks.due.end(scans.due, found.due)
      marks.held.end(scans.held, found.held)
    }
  }

  async #claim(
    statement: Statement,
    requests: readonly GroupedRequest[],
    op: string,
    starts: Starts,
  ): Promise<OfferRow[]> {
    const { connection } = this.#context
    try {
      const taking = this.#takeTokens(requests)
      const values = this.#encode(requests, op, starts)
      const claiming = connection.query<OfferRow>(statement, values, requests.length)
      return (await Promise.all([claiming, taking]))[0]
    } catch (error) {
      // Without a reply the claim may still begin leases, unless its tokens are taken before that.
      for (const { holder } of requests) this.#turns.delete(holder)
      throw error
    }
  }

  /** A token that this node must take first can have any leases. */
  #getStarts(requests: readonly GroupedRequest[]): Starts {
    const { due, held } = this.#context.marks
    return {
      due: requests.map(({ account, isFull }) => (isFull ? 0 : due.get(account))),
      held: requests.map(({ holder, isFull }) =>
        isFull || this.#turns.get(holder) === undefined ? 0 : held.get(holder),
      ),
    }
  }

  /** Takes the tokens that this node does not have; the statement is not waited for. */
  async #takeTokens(requests: readonly GroupedRequest[]): Promise<void> {
    const { connection, newOp } = this.#context
    const holders = requests.flatMap(({ holder }) =>
      this.#turns.get(holder) === undefined ? [holder] : [],
    )
    if (holders.length === 0) return
    const turn = toNumber(newOp())
    for (const holder of holders) this.#turns.set(holder, turn)
    await connection.query(takeTokens, [formatTexts(holders), turn], holders.length)
  }

  #toOffered(
    requests: readonly GroupedRequest[],
    rows: readonly OfferRow[],
    starts: Starts,
    found: { readonly due: Map<string, number>; readonly held: Map<string, number> },
  ): Offered[] {
    const offered = starts.due.map((due, at) => {
      const isComplete = due === 0 && starts.held[at] === 0
      return { offers: [] as Offer[], isComplete, shouldRepeat: false }
    })
    for (const row of rows) {
      const { account, holder, until } = requests[row.n - 1] as GroupedRequest
      const own = offered[row.n - 1] as Offered
      if (row.id === null) {
        this.#loseToken(holder, row.turn !== null)
        own.shouldRepeat = true
        continue
      }
      own.offers.push(toOffer(row, row.id, account))
      if (row.available_at === null) continue
      found.due.set(account, Math.min(row.available_at, found.due.get(account) ?? row.available_at))
      if (row.claim === null) found.held.set(holder, getHeldMark(until))
    }
    return offered
  }

  #loseToken(holder: string, exists: boolean): void {
    if (exists) this.#turns.delete(holder)
    else this.#turns.set(holder, null)
    this.#context.marks.held.forget(holder)
  }

  #encode(requests: readonly GroupedRequest[], op: string, starts: Starts): unknown[] {
    const turns = requests.map(({ holder, batch }) => {
      const turn = this.#turns.get(holder)
      return turn === null && batch === undefined ? undefined : (turn ?? noTurn)
    })
    const values = [
      formatTexts(requests.map(({ account }) => account)),
      formatTexts(requests.map(({ holder }) => holder)),
      formatNumbers(requests.map(({ now }) => now)),
      formatNumbers(requests.map(({ until }) => until)),
      formatNumbers(turns),
      op,
      formatNumbers(starts.due),
    ]
    if (requests[0]?.batch === undefined) {
      const live = requests.map(({ now }, at) => Math.max(now, starts.held[at] ?? 0))
      return [...values, formatNumbers(live)]
    }
    return [
      ...values,
      formatNumbers(requests.map(({ batch }) => batch?.wanted)),
      formatNumbers(requests.map(({ batch }) => batch?.since)),
    ]
  }
}

/** The last 48 bits of a UUID, which are random. */
function toNumber(uuid: string): number {
  return Number.parseInt(uuid.slice(-12), 16)
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
