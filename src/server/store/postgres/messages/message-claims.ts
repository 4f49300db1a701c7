import type { ClaimDecision } from '../../../../domain/message/claim.js'
import type { Lease, Message } from '../../../../domain/message/message.js'
import type { ClaimedBatch } from '../../../../domain/message/message-batch.js'
import type { BatchClaim, DecideClaim, MessageClaim } from '../../message-store.js'
import type { StoreChange } from '../../store.js'
import type { MessageStates } from '../message-rows/message-states.js'
import { AssumedFacts } from './assumed-facts.js'
import type { ClaimOffers, Offer } from './claim-offers.js'
import type { MessageChanges } from './message-changes.js'
import type { RowImages } from './row-images.js'

export interface MessageClaimsContext {
  readonly offers: ClaimOffers
  readonly states: MessageStates
  readonly changes: MessageChanges
  readonly images: RowImages
  readonly notify: (change: StoreChange) => void
}

interface Settled {
  readonly given?: Message | undefined
  /** Whether the decision neither gave the message nor changed it. */
  readonly isUnchanged: boolean
}

/**
 * Claims messages for phones. The database leases them first; a decision that gives such a message
 * with just that lease needs no other statement. All other decisions are written like changes.
 */
export class MessageClaims {
  readonly #context: MessageClaimsContext

  constructor(context: MessageClaimsContext) {
    this.#context = context
  }

  async claim(claim: MessageClaim, decide: DecideClaim): Promise<Message | undefined> {
    const { account, holder, now, lease } = claim
    const request = { account, holder, now, until: now + lease }
    for (;;) {
      const [offer] = await this.#context.offers.request(request)
      if (offer === undefined) return undefined
      const { given, isUnchanged } = await this.#settle(claim, offer, decide)
      if (given !== undefined || isUnchanged) return given
    }
  }

  async claimBatch(batch: BatchClaim, decide: DecideClaim): Promise<ClaimedBatch | undefined> {
    const { account, holder, now, lease } = batch
    const messages: Message[] = []
    let { since } = batch
    for (;;) {
      const wanted = batch.count - messages.length
      const request = { account, holder, now, until: now + lease, batch: { wanted, since } }
      const offers = await this.#context.offers.request(request)
      const settled = await this.#settleAll(batch, offers, decide)
      const given = settled.map(each => each.given).filter(each => each !== undefined)
      messages.push(...given)
      if (given.length > 0) since = Math.max(...given.map(each => each.lease?.claim ?? 0))
      const isComplete = offers.length < wanted && given.length === offers.length
      const isStuck = offers.length > 0 && settled.every(each => each.isUnchanged)
      if (messages.length === batch.count || offers.length === 0 || isComplete || isStuck) break
    }
    const claim = messages.at(-1)?.lease?.claim
    return claim === undefined ? undefined : { messages, claim }
  }

  async #settleAll(
    claim: MessageClaim,
    offers: readonly Offer[],
    decide: DecideClaim,
  ): Promise<Settled[]> {
    const settled = await Promise.allSettled(offers.map(each => this.#settle(claim, each, decide)))
    return settled.map(each => {
      if (each.status === 'fulfilled') return each.value
      throw each.reason
    })
  }

  async #settle(claim: MessageClaim, offer: Offer, decide: DecideClaim): Promise<Settled> {
    const { leased } = offer
    if (leased === undefined) return await this.#settleBlocked(claim, offer, decide)
    const { message, version } = leased
    let decision: ClaimDecision
    const facts = new AssumedFacts({ blocked: false })
    try {
      decision = decide(message, facts, offer.claim)
    } catch (error) {
      await this.#write(claim, offer, version, message, { message, given: false })
      throw error
    }
    if (decision.given && isJustLease(message, decision, toLease(claim, offer))) {
      this.#context.images.put(offer.id, decision.message, version)
      this.#notify(claim, decision.message)
      return { given: decision.message, isUnchanged: false }
    }
    return await this.#write(claim, offer, version, message, decision)
  }

  async #settleBlocked(claim: MessageClaim, offer: Offer, decide: DecideClaim): Promise<Settled> {
    const { account } = claim
    const { id } = offer
    const state = await this.#context.states.read({ account, id })
    const { message, version } = state
    if (message === undefined || !offer.blocked) return { isUnchanged: false }
    const facts = new AssumedFacts(state)
    return await this.#write(claim, offer, version, message, decide(message, facts, offer.claim))
  }

  /** Writes a decision; without a message, one that ends the lease which the database began. */
  async #write(
    { account }: MessageClaim,
    { id, leased }: Offer,
    was: number,
    before: Message,
    decision: ClaimDecision,
  ): Promise<Settled> {
    const { message = leased && before, events = [], given } = decision
    const isUnchanged = !given && decision.message === undefined
    if (message === undefined) return { isUnchanged }
    const write = { account, id, was, message, before, events, guards: 0 }
    const isWritten = await this.#context.changes.write(write)
    return { isUnchanged, given: isWritten && given && message !== null ? message : undefined }
  }

  #notify({ account, holder }: MessageClaim, message: Message): void {
    this.#context.notify({
      account,
      messages: [message.id],
      records: [message],
      holders: [holder],
      events: [],
      subscriptions: [],
    })
  }
}

function toLease({ holder, now, lease }: MessageClaim, { claim }: Offer): Lease {
  const until = now + lease
  return claim === undefined ? { holder, until } : { holder, until, claim }
}

/** Whether a decision only gives the lease that the database has begun. */
function isJustLease(
  before: Message,
  decision: ClaimDecision,
  begun: Lease,
): decision is ClaimDecision & { readonly message: Message } {
  const { message, events = [] } = decision
  if (!message || events.length > 0 || message.lastHolder !== begun.holder) return false
  const { lease } = message
  if (lease?.holder !== begun.holder || lease.until !== begun.until) return false
  if (lease.claim !== begun.claim) return false
  const names = Object.keys(message) as (keyof Message)[]
  return names.every(
    name => name === 'lease' || name === 'lastHolder' || message[name] === before[name],
  )
}
