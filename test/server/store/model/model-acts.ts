import fc from 'fast-check'
import { deliveryModes } from '../../../../src/domain/account/account.js'
import { blockMessage, claimMessage, expireLease } from '../../../../src/domain/message/claim.js'
import { applyReceipt, deliveryStates } from '../../../../src/domain/message/delivery-status.js'
import {
  createMessage,
  deleteMessage,
  editMessage,
  lockMessage,
  retryMessage,
  undeleteMessage,
  unlockMessage,
} from '../../../../src/domain/message/edit-message.js'
import type { Message, MessageChange } from '../../../../src/domain/message/message.js'
import {
  releaseMessage,
  reportFailure,
  reportSuccess,
} from '../../../../src/domain/message/report.js'
import {
  decideReceivedText,
  type ReceivedText,
} from '../../../../src/domain/phone/received-text.js'
import { eventNames } from '../../../../src/domain/webhook/event.js'
import { RelayError } from '../../../../src/errors.js'
import { addReceivedText, addToDoNotText } from '../../../../src/server/store/do-not-text.js'
import type { DecideMessage, DecisionFacts } from '../../../../src/server/store/message-store.js'
import type { DecideReceivedText } from '../../../../src/server/store/received-text-store.js'
import type { Store } from '../../../../src/server/store/store.js'
import { addUp, draftWith, messageWith } from '../rig.js'
import type { Model } from './model.js'

const byId = [
  ...(['succeed', 'fail', 'release', 'edit', 'lock', 'unlock', 'delete', 'undelete'] as const),
  'retry',
  'expire',
  'deliver',
] as const
const others = ['block', 'unblock', 'subscribe', 'unsubscribe', 'removeAccount'] as const
const incoming = ['receive', 'receive', 'purgeReceived'] as const
const cleaning = ['purge', 'purgeEvents'] as const
const often = ['create', 'create', 'create', 'create', 'claim', 'claim', 'claim'] as const

/** An act of a caller, before its message is chosen. */
export const act = fc.record({
  kind: fc.oneof(
    { weight: 7, arbitrary: fc.constantFrom(...often) },
    { weight: 9, arbitrary: fc.constantFrom(...byId) },
    { weight: 2, arbitrary: fc.constantFrom(...others) },
    { weight: 4, arbitrary: fc.constantFrom(...incoming) },
    { weight: 1, arbitrary: fc.constantFrom(...cleaning) },
  ),
  target: fc.nat(30),
  account: fc.constantFrom('a', 'a', 'b'),
  phone: fc.constantFrom('p', 'q', 'r'),
  mode: fc.constantFrom(...deliveryModes),
  number: fc.constantFrom('+1', '+2', '+3'),
  delay: fc.constantFrom(0, 0, 0, 1, 600_000),
  key: fc.constantFrom(undefined, undefined, 'k1', 'k2'),
  event: fc.constantFrom(...eventNames),
  service: fc.boolean(),
})

export type Act = typeof act extends fc.Arbitrary<infer T> ? T : never

/** An act on the store and the same one on the model. */
export interface Call {
  readonly onStore: (store: Store) => Promise<unknown>
  readonly onModel: (model: Model) => unknown
}

export function formatAct({ kind, target, account, phone, mode, number, delay, key }: Act): string {
  return [kind, target, account, phone, mode, number, delay, key ?? '-'].join(' ')
}

/** Chooses names and times of an act by the state of the model. */
export function createCall(act: Act, model: Model): Call {
  const { now } = model
  const scope = act.service ? '*' : act.account
  const subscription = `s${act.target % 4}`
  switch (act.kind) {
    case 'create':
      return createMessageCall(act, model)
    case 'claim': {
      const holder = `${act.phone} of ${act.account}`
      const by = { account: act.account, holder, now, lease: 120_000, mode: act.mode }
      const decide = (message: Message, facts: DecisionFacts) => claimMessage(message, by, facts)
      return {
        onStore: store => store.messages.claim(by, decide),
        onModel: it => it.claim(act.account, holder, decide),
      }
    }
    case 'block': {
      const entry = { scope, number: act.number, at: now }
      const decide = (message: Message) => blockMessage(message, now)
      return {
        onStore: async store => (await addToDoNotText(store, [entry], now, decide))[0],
        onModel: it => it.block(entry, decide),
      }
    }
    case 'receive':
      return receiveCall(act, model)
    case 'purgeReceived':
      return {
        onStore: async store => await addUp(store.receivedTexts.purge(now - act.delay)),
        onModel: it => it.purgeReceived(now - act.delay),
      }
    case 'unblock':
      return {
        onStore: store => store.doNotText.remove(scope, act.number, now),
        onModel: it => it.unblock(scope, act.number),
      }
    case 'subscribe':
      return subscribeCall(act, `s${model.ids.length}-${now}`, now)
    case 'unsubscribe': {
      const id = model.state.subscriptions.at(act.target % 4)?.id ?? subscription
      return { onStore: store => store.subscriptions.remove(id), onModel: it => it.unsubscribe(id) }
    }
    case 'removeAccount':
      return {
        onStore: store => store.accounts.remove(act.account),
        onModel: it => it.removeAccount(act.account),
      }
    case 'purge': {
      const before = now - act.delay
      const retention = { before, always: before - (act.service ? 0 : 60_000) }
      return {
        onStore: async store => await addUp(store.messages.purge(retention)),
        onModel: it => it.purge(retention),
      }
    }
    case 'purgeEvents':
      return {
        onStore: async store => await addUp(store.events.purge(now - act.delay, 1e9)),
        onModel: it => it.purgeEvents(now - act.delay),
      }
    default:
      return changeCall(act, model)
  }
}

function createMessageCall(act: Act, model: Model): Call {
  const id = `m${String(model.ids.push('') - 1).padStart(4, '0')}`
  model.ids[model.ids.length - 1] = id
  const { now } = model
  const times = { createdAt: now, statusAt: now, sendAt: now + act.delay }
  const message = messageWith(id, { account: act.account, number: act.number, ...times })
  const decide: DecideMessage = (_, facts) => createMessage(message, facts)
  const result = { account: act.account, digest: act.number, until: now + 300_000 }
  const options = {
    number: act.number,
    ...(act.key === undefined
      ? {}
      : { idempotencyKey: { ...result, key: `${act.key} of ${act.account}` } }),
  }
  return {
    onStore: store => store.messages.change(act.account, id, decide, options),
    onModel: it => it.change(act.account, id, decide, options),
  }
}

const words = { p: 'stop', q: 'start', r: undefined } as const

function receiveCall(act: Act, model: Model): Call {
  const { now } = model
  const { account, number, key } = act
  const word = words[act.phone]
  model.texts += 1
  const received: ReceivedText = {
    id: `r${String(model.texts).padStart(9, '0')}`,
    ...{ account, number, from: number, text: word ?? 'hello', receivedAt: now, createdAt: now },
    ...(word === undefined ? {} : { word }),
    ...(key === undefined ? {} : { once: { key, digest: number } }),
  }
  const decide: DecideReceivedText = facts =>
    decideReceivedText(received, { ...facts, replyId: 'none' }, {})
  const blocks = (message: Message) => blockMessage(message, now)
  return {
    onStore: async store => withoutEvent(await addReceivedText(store, received, decide, blocks)),
    onModel: it => it.receive(received, decide, blocks),
  }
}

/** A text without the number of its event, which the model does not have. */
export function withoutEvent({ event: _, ...received }: ReceivedText): ReceivedText {
  return received
}

function subscribeCall(act: Act, id: string, now: number): Call {
  const draft = draftWith(id, { account: act.account, event: act.event, createdAt: now })
  return {
    onStore: async store => {
      await store.subscriptions.create(draft)
    },
    onModel: it => it.subscribe(id, act.account, act.event),
  }
}

function changeCall(act: Act, model: Model): Call {
  const id = model.ids.at(act.target % Math.max(model.ids.length, 1)) ?? 'none'
  const account = model.get(id)?.account ?? act.account
  const options = act.kind === 'edit' ? { number: act.number } : {}
  const decide: DecideMessage = (message, facts) => {
    if (message === undefined) throw new RelayError('not_a_message', id)
    return decideAct(message, act, model.now, facts)
  }
  return {
    onStore: store => store.messages.change(account, id, decide, options),
    onModel: it => it.change(account, id, decide, options),
  }
}

function decideAct(message: Message, act: Act, now: number, facts: DecisionFacts): MessageChange {
  const holder = `${act.phone} of ${message.account}`
  const by = { holder, now, ...(act.key === undefined ? {} : { key: act.key }) }
  const failure = { error: 'busy', outcome: act.service ? 'failed' : 'unknown' } as const
  switch (act.kind) {
    case 'succeed':
      return reportSuccess(message, { parts: 1 }, by)
    case 'fail':
      return reportFailure(message, failure, by, act.mode)
    case 'deliver':
      return applyReceipt(message, { state: deliveryStates[act.target % 4] ?? 'pending' }, now)
    case 'release':
      return releaseMessage(message, act.delay === 0 ? {} : { retryAfter: act.delay }, by, facts)
    case 'edit':
      return editMessage(message, { number: act.number, sendAt: now + act.delay }, now, facts)
    case 'lock':
      return lockMessage(message, now)
    case 'unlock':
      return unlockMessage(message, now, facts)
    case 'retry':
      return retryMessage(message, now, facts)
    case 'delete':
      return deleteMessage(message, now)
    case 'undelete':
      return undeleteMessage(message, now, facts, act.mode)
    default:
      return expireLease(message, { now, mode: act.mode })
  }
}
