import type { DoNotTextEntry } from '../../../../src/domain/account/account.js'
import type { Message } from '../../../../src/domain/message/message.js'
import type { ReceivedText } from '../../../../src/domain/phone/received-text.js'
import type { EventName } from '../../../../src/domain/webhook/event.js'
import type { IdempotencyKey } from '../../../../src/server/store/message-store.js'

export interface ModelEvent {
  readonly account: string
  readonly event: EventName
  readonly message: string
  readonly at: number
}

export interface ModelSubscription {
  readonly id: string
  readonly account: string
  readonly event: EventName
  readonly triggered: number
  readonly pending: readonly ModelEvent[]
}

export interface ModelState {
  /** In order of creation. */
  messages: readonly Message[]
  events: readonly ModelEvent[]
  subscriptions: readonly ModelSubscription[]
  blocks: readonly DoNotTextEntry[]
  results: readonly { readonly once: IdempotencyKey; readonly message: Message }[]
  /** All events, including deleted ones. */
  counted: readonly ModelEvent[]
  /** In order of their identifiers. */
  received: readonly ReceivedText[]
}

export function createState(): ModelState {
  return {
    messages: [],
    events: [],
    subscriptions: [],
    blocks: [],
    results: [],
    counted: [],
    received: [],
  }
}

export function removeAccount(state: ModelState, account: string): ModelState {
  const isOther = (each: { readonly account: string }) => each.account !== account
  return {
    messages: state.messages.filter(isOther),
    events: state.events.filter(isOther),
    subscriptions: state.subscriptions.filter(isOther),
    blocks: state.blocks.filter(({ scope }) => scope !== account),
    results: state.results.filter(({ once }) => isOther(once)),
    counted: state.counted.filter(isOther),
    received: state.received.filter(isOther),
  }
}
