import type { ClaimDecision } from '../../../domain/message/claim.js'
import { getDueTime, type Message } from '../../../domain/message/message.js'
import type { ClaimedBatch } from '../../../domain/message/message-batch.js'
import type { BatchClaim, DecideClaim, MessageClaim } from '../message-store.js'
import type { Transactions } from './engine/engine.js'
import type { Transaction } from './engine/transaction.js'
import { getMessageTable } from './records/collections.js'

type OfferMessage = (message: Message, claim?: number) => ClaimDecision

export class LowdbClaims {
  readonly #engine: Transactions

  constructor(engine: Transactions) {
    this.#engine = engine
  }

  claim({ account, holder, now }: MessageClaim, decide: DecideClaim): Promise<Message | undefined> {
    const { leases } = this.#engine.indexes.messages
    return this.#engine.transact(transaction => {
      const offer = this.#createOffer(transaction, account, now, decide)
      for (const id of leases.findRunning(holder, now)) {
        const message = this.#offerHeld(account, id, offer)
        if (message !== undefined) return message
      }
      return this.#claimDue(account, now, offer)
    })
  }

  /** Claims a batch for a token that exists; its last number is stored in the same transaction. */
  claimBatch(batch: BatchClaim, decide: DecideClaim): Promise<ClaimedBatch | undefined> {
    const { account, holder, count, now } = batch
    const { leases } = this.#engine.indexes.messages
    return this.#engine.transact(transaction => {
      const token = transaction.get('token', holder)
      if (token === undefined) return undefined
      const { claims = 0 } = token
      const offer = this.#createOffer(transaction, account, now, decide)
      const messages: Message[] = []
      let last = claims
      const add = (message: Message | undefined): boolean => {
        if (message === undefined) return false
        messages.push(message)
        last = Math.max(last, message.lease?.claim ?? 0)
        return true
      }
      // A number that the store never gave the token is of another history of the data.
      const since = batch.since > claims ? 0 : batch.since
      for (const id of leases.findRunningSince(holder, since, now)) {
        if (messages.length === count) break
        add(this.#offerHeld(account, id, offer, last + 1))
      }
      while (messages.length < count && add(this.#claimDue(account, now, offer, last + 1)));
      const claim = messages.at(-1)?.lease?.claim
      if (claim === undefined) return undefined
      if (last > claims) transaction.put('token', holder, { ...token, claims: last })
      return { messages, claim }
    })
  }

  /** When the first message that the store would give again to a claim is due. */
  findNextHeld(account: string, holder: string, now: number, since?: number): number | undefined {
    const { indexes, data } = this.#engine
    const { leases } = indexes.messages
    const held =
      since === undefined
        ? leases.findRunning(holder, now)
        : leases.findRunningSince(holder, since, now)
    let first: number | undefined
    for (const id of held) {
      const message = data.message.get(id)
      if (message?.account !== account) continue
      first = Math.min(getDueTime(message), first ?? Number.POSITIVE_INFINITY)
    }
    return first
  }

  #createOffer(
    transaction: Transaction,
    account: string,
    now: number,
    decide: DecideClaim,
  ): OfferMessage {
    return (message, claim) => {
      const facts = transaction.getDecisionFacts(account, message.number)
      const decision = decide(message, facts, claim)
      transaction.applyChange(message.id, account, decision, now)
      return decision
    }
  }

  #offerHeld(
    account: string,
    id: string,
    offer: OfferMessage,
    claim?: number,
  ): Message | undefined {
    const { data } = this.#engine
    const message = data.message.get(id)
    if (message?.account !== account) return undefined
    return offer(message, claim).given ? data.message.get(id) : undefined
  }

  #claimDue(
    account: string,
    now: number,
    offer: OfferMessage,
    claim?: number,
  ): Message | undefined {
    const { indexes, data } = this.#engine
    for (;;) {
      const first = indexes.messages.findFirstAvailable(account)
      if (first === undefined || first.at > now) return undefined
      const message = getMessageTable(data).load(first.slot, first.id)
      if (message === undefined) return undefined
      const decision = offer(message, claim)
      if (decision.given) return data.message.get(first.id)
      if (decision.message === undefined) return undefined
    }
  }
}
