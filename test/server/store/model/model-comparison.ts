import { expect } from 'vitest'
import type { Message } from '../../../../src/domain/message/message.js'
import {
  type Counts,
  formatGroup,
  getQuarterHour,
  parseGroup,
  quarterHour,
  sumGroups,
} from '../../../../src/domain/message/message-counts.js'
import { messageFilters } from '../../../../src/domain/message/message-filter.js'
import type { EventName } from '../../../../src/domain/webhook/event.js'
import { applyDeliverySuccess } from '../../../../src/domain/webhook/subscription.js'
import { isRelayError } from '../../../../src/errors.js'
import { listDoNotText } from '../../../../src/server/store/do-not-text.js'
import type { Store } from '../../../../src/server/store/store.js'
import { listEvents, listMessages, start } from '../rig.js'
import type { Model } from './model.js'
import { withoutEvent } from './model-acts.js'
import type { ModelEvent, ModelSubscription } from './model-state.js'

const accounts = ['a', 'b']

/** The result of a call, or the code of its error. */
export async function getResult(call: () => unknown): Promise<unknown> {
  try {
    return { value: await call() }
  } catch (error) {
    if (isRelayError(error)) return { code: error.code }
    throw error
  }
}

/** Compares stores with a model. */
export class ModelComparison {
  readonly #model: Model
  readonly #seen = new Map<string, string>()

  constructor(model: Model) {
    this.#model = model
  }

  /** Delivers the next event of a subscription. */
  async deliver(store: Store, subscription: ModelSubscription): Promise<void> {
    const [event] = await listUndelivered(store, subscription)
    if (event === undefined) return
    await store.subscriptions.change(subscription.id, it => applyDeliverySuccess(it, event.seq))
    this.#model.deliver(subscription.id, event.message)
  }

  /** Compares all reads of the store with the model. */
  async compare(store: Store): Promise<void> {
    const model = this.#model
    for (const account of accounts) {
      expect(await listMessages(store, account)).toEqual(model.of(account))
      const page = { account, statuses: messageFilters.normal, start: 1, count: 2 } as const
      const normal = model.of(account).filter(each => 'NE'.includes(each.status))
      const last = normal.toReversed().slice(1, 3)
      expect(await store.messages.list({ ...page, order: 'desc' })).toEqual(last)
      expect(await store.messages.findNextAvailable(account)).toBe(getNextAvailable(model, account))
      expect(await store.messages.getQueueDepth(account, model.now)).toEqual(model.depth(account))
      await this.#compareCounts(store, account)
      await this.#compareGroups(store, account)
      expect(sortAsText(await listDoNotText(store, account))).toEqual(
        sortAsText(model.state.blocks.filter(each => each.scope === account)),
      )
      const texts = model.state.received.filter(each => each.account === account).reverse()
      const listed = await store.receivedTexts.list({ account, count: 1e9 })
      expect(listed.map(withoutEvent)).toEqual(texts)
      const after = await store.receivedTexts.list({
        account,
        count: 2,
        before: texts[1]?.id ?? '',
      })
      expect(after.map(withoutEvent)).toEqual(texts[1] === undefined ? [] : texts.slice(2, 4))
    }
    for (const id of model.ids.slice(-3))
      expect(await findMessage(store, id)).toEqual(model.get(id))
    const ended = await store.messages.listExpiredLeases(accounts, model.now, 1e9)
    expect(ended.map(each => each.id).sort()).toEqual(model.expiredLeases())
    await this.#compareEvents(store)
    await this.#compareSubscriptions(store)
  }

  async #compareCounts(store: Store, account: string): Promise<void> {
    const model = this.#model
    const from = getQuarterHour(start) * quarterHour
    const count = getQuarterHour(model.now) - getQuarterHour(start) + 1
    const spans = { from, length: quarterHour, count }
    const counts = await store.statistics.getCounts(account, spans)
    expect(counts.map(pickOutcomes)).toEqual(
      Array.from({ length: count }, (_, at) => {
        const begin = from + at * quarterHour
        const of = (event: EventName) => model.count(account, event, begin, begin + quarterHour)
        return {
          ...{ created: of('message.create'), sent: of('message.sent') },
          ...{ failed: of('message.failed'), blocked: of('message.blocked') },
        }
      }),
    )
  }

  async #compareGroups(store: Store, account: string): Promise<void> {
    const since = getQuarterHour(start) * quarterHour
    const until = (getQuarterHour(this.#model.now) + 1) * quarterHour
    const groups = await store.statistics.countGroups({ account, since, until })
    const expected = this.#model
      .of(account)
      .map(message => ({ ...parseGroup(formatGroup(message)), count: 1 }))
    for (const by of ['phone', 'source', 'prefix', 'state'] as const)
      expect(sumGroups(groups, by)).toEqual(sumGroups(expected, by))
  }

  async #compareEvents(store: Store): Promise<void> {
    const lists = await Promise.all(accounts.map(each => listEvents(store, each)))
    expect(sortAsText(lists.flat().map(withoutSeq))).toEqual(sortAsText(this.#model.state.events))
    for (const events of lists) {
      for (const [at, event] of events.entries()) {
        expect(event.at).toBeGreaterThanOrEqual(events[at - 1]?.at ?? 0)
        // An account that was removed begins again.
        const key = `${event.account} ${event.seq} ${this.#model.removals}`
        const text = JSON.stringify(withoutSeq(event))
        expect(this.#seen.get(key) ?? text).toBe(text)
        this.#seen.set(key, text)
      }
    }
  }

  async #compareSubscriptions(store: Store): Promise<void> {
    const { subscriptions } = this.#model.state
    const listed = await store.subscriptions.list()
    expect(listed.map(each => [each.id, each.triggered])).toEqual(
      subscriptions.map(each => [each.id, each.triggered]),
    )
    for (const subscription of subscriptions) {
      const pending = (await listUndelivered(store, subscription)).map(withoutSeq)
      expect(sortAsText(pending)).toEqual(sortAsText(subscription.pending))
    }
  }
}

async function findMessage(store: Store, id: string): Promise<Message | undefined> {
  const found = await Promise.all(accounts.map(account => store.messages.get(account, id)))
  return found.find(each => each !== undefined)
}

async function listUndelivered(store: Store, { id, account, event }: ModelSubscription) {
  const cursor = (await store.subscriptions.get(id))?.cursor ?? 0
  return await store.events.listAfter(account, event, cursor, 1e9)
}

function getNextAvailable(model: Model, account: string): number | undefined {
  const [first] = model.queue(account)
  if (first === undefined) return undefined
  return Math.max(first.sendAt, first.retryAt ?? 0, first.lease?.until ?? 0)
}

function withoutSeq({ account, event, message, at }: ModelEvent): ModelEvent {
  return { account, event, message, at }
}

/** Records as sorted texts: those of one moment may be in any order. */
function sortAsText(list: readonly object[]): string[] {
  return list.map(each => JSON.stringify(each)).sort()
}

/** The counts that do not depend on receipts. */
function pickOutcomes({ created, sent, failed, blocked }: Counts) {
  return { created, sent, failed, blocked }
}
