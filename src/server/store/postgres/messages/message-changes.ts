import { isWaiting, type Message, type MessageChange } from '../../../../domain/message/message.js'
import type { BatchResult } from '../../../../domain/message/message-batch.js'
import type { EventName } from '../../../../domain/webhook/event.js'
import { RelayError } from '../../../../errors.js'
import type { DecisionFacts, MessageChangeRequest } from '../../message-store.js'
import type { StoreChange } from '../../store.js'
import { getStoredResult, getUnexpired } from '../../stored-result.js'
import type { MessageState, MessageStates } from '../message-rows/message-states.js'
import type { MessageWrites, WriteResult } from '../message-rows/message-writes.js'
import type { MessageWrite } from '../message-rows/write-columns.js'
import { AssumedFacts } from './assumed-facts.js'
import type { ClaimMarks } from './claim-marks.js'
import { combineChanges } from './combine-changes.js'
import type { RowImages } from './row-images.js'

export interface MessageChangesContext {
  readonly states: MessageStates
  readonly images: RowImages
  readonly marks: ClaimMarks
  readonly writes: MessageWrites
  readonly now: () => number
  readonly notify: (change: StoreChange) => void
}

interface Basis extends DecisionFacts, Pick<MessageState, 'message' | 'version'> {
  /** Version of the original. @default 0, without one */
  readonly originalVersion?: number
}

interface ChangeResult {
  readonly message: Message | undefined
  readonly write?: MessageWrite
}

interface Attempt extends WriteResult {
  readonly write: MessageWrite
}

const newMessage: Basis = { message: undefined, version: 0, blocked: false, accountMissing: false }

/**
 * Changes messages as decided. A decision on a new message or on one that a phone of this node
 * leases is made at once; the statement that writes it checks what it is based on. If that has
 * changed, the message is read and decided on again.
 */
export class MessageChanges {
  readonly #context: MessageChangesContext

  constructor(context: MessageChangesContext) {
    this.#context = context
  }

  async change(request: MessageChangeRequest): Promise<Message | undefined> {
    const { message, write } = await this.#run(request)
    if (write !== undefined) this.#context.notify(toStoreChange([write]))
    return message
  }

  async changeAll(requests: readonly MessageChangeRequest[]): Promise<BatchResult[]> {
    const changes = combineChanges(requests)
    const settled = await Promise.allSettled(changes.map(({ request }) => this.#run(request)))
    const writes = settled.map(each => (each.status === 'fulfilled' ? each.value.write : undefined))
    this.#notifyAll(writes.filter(write => write !== undefined))
    const results: BatchResult[] = []
    for (const [at, { places, results: getOwn }] of changes.entries()) {
      const result = toBatchResult(settled[at] as PromiseSettledResult<ChangeResult>)
      for (const [n, place] of places.entries())
        results[place] = result.error === undefined ? (getOwn?.()[n] ?? result) : result
    }
    return results
  }

  /** Writes a decision on a message that was just read; resolves to whether it is written. */
  async write(write: MessageWrite): Promise<boolean> {
    const { isWritten } = await this.#add(write)
    if (isWritten) this.#context.notify(toStoreChange([write]))
    return isWritten
  }

  async #run(request: MessageChangeRequest): Promise<ChangeResult> {
    let assumed = this.#assume(request)
    let last: Attempt | undefined
    for (;;) {
      const basis = assumed ?? (await this.#read(request, last))
      if ('result' in basis) return basis.result
      const facts = new AssumedFacts(basis)
      const decided = tryToDecide(request, basis, facts, assumed !== undefined)
      const write = decided && toWrite(request, basis, decided, facts)
      if (write === undefined && assumed === undefined) return { message: basis.message }
      assumed = undefined
      if (write === undefined) continue
      last = { write, ...(await this.#add(write)) }
      if (last.isWritten) return toResult(write)
    }
  }

  /** What a message is without a read: new, or as a phone of this node leases it. */
  #assume({ account, id, options }: MessageChangeRequest): Basis | undefined {
    if (options?.copyKey !== undefined || options?.original !== undefined) return undefined
    if (options?.number !== undefined) return newMessage
    const image = this.#context.images.get(account, id)
    return image && { ...image, blocked: false, accountMissing: false }
  }

  async #read(
    { account, id, options }: MessageChangeRequest,
    last: Attempt | undefined,
  ): Promise<Basis | { readonly result: ChangeResult }> {
    const { number, idempotencyKey, copyKey, original } = options ?? {}
    const { states, now } = this.#context
    const key = idempotencyKey ?? (copyKey === undefined ? undefined : { account, key: copyKey })
    const [state, origin] = await Promise.all([
      states.read({ account, id, number, key }),
      original === undefined ? undefined : states.read({ account, id: original }),
    ])
    if (last !== undefined && isDone(last, state)) return { result: toResult(last.write) }
    if (idempotencyKey !== undefined) {
      const message = getStoredResult(state.stored, idempotencyKey, now())
      if (message !== undefined) return { result: { message } }
    }
    const isSentAgain = copyKey !== undefined && getUnexpired(state.stored, now()) !== undefined
    if (origin === undefined) return { ...state, isSentAgain }
    return { ...state, original: origin.message, originalVersion: origin.version }
  }

  async #add(write: MessageWrite): Promise<WriteResult> {
    const { images, marks, writes } = this.#context
    const result = await writes.add(write)
    if (result.isWritten) images.put(write.id, write.message, write.was + 1)
    else images.forget(write.id)
    if (write.message) marks.noteChange(write.message)
    return result
  }

  #notifyAll(writes: readonly MessageWrite[]): void {
    const accounts = new Map<string, MessageWrite[]>()
    for (const write of writes) {
      const own = accounts.get(write.account)
      if (own === undefined) accounts.set(write.account, [write])
      else own.push(write)
    }
    for (const own of accounts.values()) this.#context.notify(toStoreChange(own))
  }
}

function toBatchResult(result: PromiseSettledResult<ChangeResult>): BatchResult {
  if (result.status === 'fulfilled') return { message: result.value.message }
  const error: unknown = result.reason
  if (error instanceof RelayError && error.code !== 'unavailable') return { error }
  throw error
}

/** Undefined if a decision on an assumed message throws: only one that was read may fail. */
function tryToDecide(
  { decide }: MessageChangeRequest,
  { message }: Basis,
  facts: AssumedFacts,
  isAssumed: boolean,
): MessageChange | undefined {
  try {
    return decide(message, facts)
  } catch (error) {
    if (isAssumed) return undefined
    throw error
  }
}

/** Undefined if the decision changes nothing. */
function toWrite(
  { account, id, options }: MessageChangeRequest,
  { message: current, version, original, originalVersion: was = 0 }: Basis,
  { message = current, events = [] }: MessageChange,
  { guards }: AssumedFacts,
): MessageWrite | undefined {
  if (message === undefined || (message === null && current === undefined)) return undefined
  if (message === current && events.length === 0) return undefined
  return {
    ...{ account, id, was: version, message, before: current, events, guards },
    key: options?.idempotencyKey,
    original: original && { id: original.id, was },
  }
}

function toResult(write: MessageWrite): ChangeResult {
  return { message: write.message ?? undefined, write }
}

/**
 * Whether a write was done although the statement says that it was not: the statement ran twice,
 * because the reply to the first was lost.
 */
function isDone({ write, op, isUncertain }: Attempt, state: MessageState): boolean {
  if (!isUncertain) return false
  if (write.message === null) return state.message === undefined
  return state.op === op || (write.was === 0 && state.message !== undefined)
}

function toStoreChange(writes: readonly MessageWrite[]): StoreChange {
  const events: EventName[] = []
  const holders: string[] = []
  const records: Message[] = []
  for (const { message, events: own } of writes) {
    events.push(...own)
    if (message !== null) records.push(message)
    if (message?.lease && isWaiting(message)) holders.push(message.lease.holder)
  }
  return {
    account: writes[0]?.account ?? '',
    messages: writes.map(({ id }) => id),
    records,
    holders,
    events,
    subscriptions: [],
  }
}
