import type { Message } from '../../../../domain/message/message.js'
import { LruMap } from '../../../../util/collections/lru-map.js'
import type { Connection, Statement } from '../connection/statement.js'
import { formatNumbers, formatTexts } from '../groups/array-literal.js'
import { Grouper } from '../groups/grouper.js'
import { claimBatches, claimMessages, type OfferRow } from './claim-statement.js'
import { type MessageDoc, toLease, toMessage } from './message-row.js'

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
}

type Offered = readonly Offer[] | 'repeat'

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
    const grouper = request.batch === undefined ? this.#single : this.#batches
    for (;;) {
      const offered = await grouper.add(request)
      if (offered !== 'repeat') return offered
      // A batch is only for a token that exists.
      if (request.batch !== undefined && this.#turns.get(request.holder) === null) return []
    }
  }

  #createGrouper(statement: Statement): Grouper<OfferRequest, Offered> {
    return new Grouper({
      send: async requests => await this.#send(statement, requests),
      getKey: ({ holder }) => holder,
    })
  }

  async #send(statement: Statement, requests: readonly OfferRequest[]): Promise<Offered[]> {
    const { connection, retry, newOp } = this.#context
    const op = newOp()
    const rows = await retry(async () => {
      const values = this.#encode(requests, op)
      return await connection.query<OfferRow>(statement, values)
    })
    const turns = requests.map(({ holder }) => this.#turns.get(holder))
    for (const [at, turn] of turns.entries()) {
      if (typeof turn === 'number') this.#turns.set(requests[at]?.holder ?? '', turn + 1)
    }
    const offers: Offered[] = requests.map(() => [])
    for (const row of rows) this.#take(row, requests[row.n - 1] as OfferRequest, offers)
    return offers
  }

  #take(row: OfferRow, request: OfferRequest, offers: Offered[]): void {
    if (row.id === null) {
      this.#turns.set(request.holder, row.turn)
      offers[row.n - 1] = 'repeat'
      return
    }
    const own = offers[row.n - 1] as Offer[]
    own.push(toOffer(row, row.id, request))
  }

  #encode(requests: readonly OfferRequest[], op: string): unknown[] {
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
    ]
    if (requests[0]?.batch === undefined) return values
    return [
      ...values,
      formatNumbers(requests.map(({ batch }) => batch?.wanted)),
      formatNumbers(requests.map(({ batch }) => batch?.since)),
    ]
  }
}

function toOffer(row: OfferRow, id: string, { account }: OfferRequest): Offer {
  const claim = row.claim ?? undefined
  const { blocked } = row
  if (row.version === null || row.doc === null) return { id, claim, blocked }
  const message = toMessage(account, id, row.doc as MessageDoc)
  const lease = toLease(row.was_holder, row.was_until, row.was_claim)
  if (lease !== undefined) message.lease = lease
  if (row.was_last_holder !== null) message.lastHolder = row.was_last_holder
  return { id, claim, blocked, leased: { message, version: row.version } }
}
