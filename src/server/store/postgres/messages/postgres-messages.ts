// Messages in PostgreSQL, on top of message-rows/, which reads and writes groups of rows.
//
// - message-changes, combine-changes: decide on messages; assumed-facts and row-images let most do
//   without a read
// - message-claims: gives messages to phones; claim-offers, claim-marks, claim-statement: which
// - message-times: when messages can be claimed; message-pages: lists; message-numbers: counts;
//   search-pages, search-filters: searches
// - old-messages: deletes expired messages

import type { DoNotTextEntry } from '../../../../domain/account/account.js'
import type { Message } from '../../../../domain/message/message.js'
import type { BatchResult, ClaimedBatch } from '../../../../domain/message/message-batch.js'
import type { StatusCounts } from '../../../../domain/message/message-counts.js'
import type { MessageCriteria } from '../../../../domain/message/message-criteria.js'
import type { QueueDepth } from '../../../../domain/message/queue-depth.js'
import { InFlight } from '../../../../util/async/in-flight.js'
import type {
  BatchClaim,
  DecideClaim,
  DecideMessage,
  FoundMessages,
  LaterPlace,
  MessageChangeOptions,
  MessageChangeRequest,
  MessageClaim,
  MessagePlace,
  MessageQuery,
  MessageStore,
  Retention,
  StoredResult,
} from '../../message-store.js'
import type { StoreChange } from '../../store.js'
import { getUnexpired } from '../../stored-result.js'
import type { Connection, Statement } from '../connection/statement.js'
import { type MessageRow, messageColumns, rowToMessage } from '../message-rows/message-row.js'
import { MessageStates } from '../message-rows/message-states.js'
import { MessageWrites } from '../message-rows/message-writes.js'
import { ClaimMarks } from './claim-marks.js'
import { ClaimOffers } from './claim-offers.js'
import { MessageChanges } from './message-changes.js'
import { MessageClaims } from './message-claims.js'
import { countStatuses, readQueueDepth, readTotalDepth } from './message-numbers.js'
import { listHeld, listLater, listMessages } from './message-pages.js'
import { MessageTimes } from './message-times.js'
import { deleteOldMessages } from './old-messages.js'
import { RowImages } from './row-images.js'
import { searchMessages } from './search-pages.js'

export interface PostgresMessagesContext {
  readonly reads: Connection
  readonly connect: (purpose: string) => Connection
  readonly retry: <T>(work: () => Promise<T>) => Promise<T>
  /** Creates the name of an operation of the database, a UUID. */
  readonly newOp: () => string
  readonly now: () => number
  readonly monotonic: () => number
  readonly notify: (change: StoreChange) => void
}

const deleteKeys: Statement = {
  name: 'delete_idempotency_keys',
  text: `
delete from idempotency_key k using (
  select account, key from idempotency_key where until <= $1 order by until limit 10000
) old
where k.account = old.account and k.key = old.key and k.until <= $1`,
}

/** Messages to numbers of Do Not Text lists that are read together. */
const maxFound = 2000

const findWaiting: Statement = {
  name: 'message-find-waiting',
  text: `
    select distinct account, id
    from unnest($1::text[], $2::text[]) as entry (scope, listed), message
    where number = listed and (scope = '*' or account = scope)
      and status in ('N', 'E')
      and (account, id) > ($3, $4)
    order by account, id limit $5`,
}

const listEnded: Statement = {
  name: 'list_ended_leases',
  text: `
select ${messageColumns} from message m
where m.account = any($1::text[]) and m.holder is not null and m.available_at is not null
  and m.lease_until <= $2
limit $3`,
}

export class PostgresMessages implements MessageStore {
  readonly searchSizes = { first: 10_000, later: 10_000, page: 2500 }
  readonly #retry: PostgresMessagesContext['retry']
  readonly #now: () => number
  readonly #pages: Connection
  readonly #states: MessageStates
  readonly #times: MessageTimes
  readonly #writes: MessageWrites
  readonly #changes: MessageChanges
  readonly #claims: MessageClaims
  readonly #marks: ClaimMarks
  readonly #inFlight = new InFlight()

  constructor(context: PostgresMessagesContext) {
    const { connect, reads, retry, newOp, now, monotonic, notify } = context
    this.#retry = retry
    this.#now = now
    this.#pages = connect('pages')
    this.#states = new MessageStates(reads, retry)
    this.#times = new MessageTimes(reads, retry)
    const writes = new MessageWrites({ connection: connect('writes'), retry, newOp, now })
    this.#writes = writes
    const images = new RowImages()
    const marks = new ClaimMarks(monotonic)
    this.#marks = marks
    const states = this.#states
    const changes = new MessageChanges({ states, images, marks, writes, now, notify })
    this.#changes = changes
    const offers = new ClaimOffers({ connection: connect('claims'), retry, newOp, marks })
    this.#claims = new MessageClaims({ offers, states, changes, images, notify })
  }

  async get(account: string, id: string): Promise<Message | undefined> {
    return (await this.#states.read({ account, id })).message
  }

  async list(query: MessageQuery): Promise<Message[]> {
    return await this.#retry(async () => await listMessages(this.#pages, query))
  }

  async search(
    query: MessageQuery,
    criteria: MessageCriteria,
    count: number,
  ): Promise<FoundMessages> {
    return await this.#retry(async () => await searchMessages(this.#pages, query, criteria, count))
  }

  async listLater(account: string, after: LaterPlace, count: number): Promise<Message[]> {
    return await this.#retry(async () => await listLater(this.#pages, account, after, count))
  }

  async *findWaitingTo(
    entries: readonly Pick<DoNotTextEntry, 'scope' | 'number'>[],
  ): AsyncGenerator<MessagePlace[]> {
    const lists = [entries.map(({ scope }) => scope), entries.map(({ number }) => number)]
    for (let last: MessagePlace | undefined = { account: '', id: '' }; last !== undefined; ) {
      const values = [...lists, last.account, last.id, maxFound]
      const read = async () => await this.#pages.query<MessagePlace>(findWaiting, values)
      const found: MessagePlace[] = await this.#retry(read)
      yield found
      last = found.length < maxFound ? undefined : found.at(-1)
    }
  }

  async countStatuses(account: string): Promise<StatusCounts> {
    return await this.#retry(async () => await countStatuses(this.#pages, account))
  }

  change(
    account: string,
    id: string,
    decide: DecideMessage,
    options?: MessageChangeOptions,
  ): Promise<Message | undefined> {
    const request = { account, id, decide, ...(options && { options }) }
    return this.#inFlight.track(this.#changes.change(request))
  }

  changeAll(changes: readonly MessageChangeRequest[]): Promise<BatchResult[]> {
    return this.#inFlight.track(this.#changes.changeAll(changes))
  }

  claim(claim: MessageClaim, decide: DecideClaim): Promise<Message | undefined> {
    return this.#inFlight.track(this.#claims.claim(claim, decide))
  }

  claimBatch(batch: BatchClaim, decide: DecideClaim): Promise<ClaimedBatch | undefined> {
    return this.#inFlight.track(this.#claims.claimBatch(batch, decide))
  }

  async findNextAvailable(account: string): Promise<number | undefined> {
    return await this.#times.findNextAvailable(account)
  }

  async findNextHeld(
    account: string,
    holder: string,
    now: number,
    since?: number,
  ): Promise<number | undefined> {
    return await this.#times.findNextHeld({ account, holder, now, since })
  }

  async listHeld(account: string, holder: string, now: number, count: number): Promise<Message[]> {
    const query = { account, holder, now }
    return await this.#retry(async () => await listHeld(this.#pages, query, count))
  }

  async getQueueDepth(
    account: string | undefined,
    now: number,
    most?: number,
  ): Promise<QueueDepth> {
    return await this.#retry(async () =>
      account === undefined
        ? await readTotalDepth(this.#pages, now)
        : await readQueueDepth(this.#pages, account, now, most),
    )
  }

  async findResults(
    account: string,
    keys: readonly string[],
  ): Promise<(StoredResult | undefined)[]> {
    const queries = keys.map(key => ({ account, id: '', key: { account, key } }))
    const states = await Promise.all(queries.map(query => this.#states.read(query)))
    return states.map(({ stored }) => getUnexpired(stored, this.#now()))
  }

  async deleteExpiredKeys(now: number): Promise<void> {
    await this.#retry(async () => await this.#pages.query(deleteKeys, [now]))
  }

  purge(retention: Retention): AsyncGenerator<number> {
    return deleteOldMessages(this.#pages, this.#writes, retention)
  }

  async listExpiredLeases(
    accounts: readonly string[],
    now: number,
    count: number,
  ): Promise<Message[]> {
    if (accounts.length === 0) return []
    const values = [accounts, now, count]
    const read = async () => await this.#pages.query<MessageRow>(listEnded, values)
    return (await this.#retry(read)).map(rowToMessage)
  }

  handleForeignChange(account: string, holders: readonly string[]): void {
    this.#marks.noteForeignChange(account, holders, this.#now())
  }

  async close(): Promise<void> {
    await this.#inFlight.idle()
  }
}
