import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect } from 'vitest'
import type { Message } from '../../../../../src/domain/message/message.js'
import {
  type Counts,
  getQuarterHour,
  quarterHour,
} from '../../../../../src/domain/message/message-counts.js'
import { messageFilters } from '../../../../../src/domain/message/message-filter.js'
import type { EventName } from '../../../../../src/domain/webhook/event.js'
import { applyDeliverySuccess } from '../../../../../src/domain/webhook/subscription.js'
import { isRelayError } from '../../../../../src/errors.js'
import { compactJournals } from '../../../../../src/server/store/lowdb/journal/compact-journals.js'
import { openLowdbStore } from '../../../../../src/server/store/lowdb/lowdb-store.js'
import type { Store } from '../../../../../src/server/store/store.js'
import { temporaryFolder } from '../../../../temporary-folder.js'
import { listEvents, listMessages, start } from '../../rig.js'
import { copyFolder, withoutPreallocation } from '../lowdb-rig.js'
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

/** Warnings about a full disk. */
const expectedWarning = /cannot be (?:written|compacted)|can be written again/

/** Changes a line at an offset of the file as an interrupted write does. */
export type Tear = (line: Buffer, at: number) => Buffer

/** A store on disk and its model. */
export class StoreWorld {
  readonly warnings: string[] = []
  readonly #model: Model
  readonly #open: Store[] = []
  readonly #seen = new Map<number, string>()
  #folder = ''
  #store: Store | undefined

  constructor(model: Model) {
    this.#model = model
  }

  get store(): Store {
    if (this.#store === undefined) throw new Error('The store is not open.')
    return this.#store
  }

  async open(compactAbove: number): Promise<void> {
    this.#folder ||= await temporaryFolder()
    this.#store = await openLowdbStore(this.#folder, {
      now: () => this.#model.now,
      warn: sentence => {
        if (!expectedWarning.test(sentence)) this.warnings.push(sentence)
      },
      compactAbove,
      runCompaction: compactJournals,
    })
    this.#open.push(this.#store)
  }

  /** Continues with the files as they are, as after a crash. */
  async crash(compactAbove: number): Promise<void> {
    this.#folder = await copyFolder(this.#folder)
    await this.open(compactAbove)
  }

  /**
   * Continues with a torn last line, which begins at `from`, as after a power cut. Resolves to the
   * part of the line that remains.
   */
  async tear(compactAbove: number, from: number, tear: Tear): Promise<'all' | 'some' | 'none'> {
    this.#folder = await copyFolder(this.#folder)
    const path = await this.#journal()
    const before = await readFile(path)
    const line = Buffer.from(withoutPreallocation(before).subarray(from))
    const torn = tear(Buffer.from(line), from)
    // The space of the line was preallocated.
    const rest = Buffer.alloc(before.length - from - torn.length, '\n')
    await writeFile(path, Buffer.concat([before.subarray(0, from), torn, rest]))
    await this.open(compactAbove)
    if (torn.equals(line)) return 'all'
    return torn.every(byte => byte === 10) ? 'none' : 'some'
  }

  async reopen(compactAbove: number): Promise<void> {
    await this.store.close()
    await this.open(compactAbove)
  }

  async close(): Promise<void> {
    for (const store of this.#open) await store.close()
  }

  /** Name of the current journal, which changes when a compaction begins. */
  async journalName(): Promise<string> {
    return basename(await this.#journal())
  }

  async journalSize(): Promise<number> {
    return withoutPreallocation(await readFile(await this.#journal())).length
  }

  /** Delivers the next event of a subscription. */
  async deliver(subscription: ModelSubscription): Promise<void> {
    const [event] = await this.#undelivered(subscription)
    if (event === undefined) return
    await this.store.subscriptions.change(subscription.id, it =>
      applyDeliverySuccess(it, event.seq),
    )
    this.#model.deliver(subscription.id, event.message)
  }

  /** Compares all reads of the store with the model. */
  async compare(): Promise<void> {
    const { store } = this
    const model = this.#model
    for (const account of accounts) {
      expect(await listMessages(store, account)).toEqual(model.of(account))
      const page = { account, statuses: messageFilters.normal, start: 1, count: 2 } as const
      const normal = model.of(account).filter(each => 'NE'.includes(each.status))
      const last = normal.toReversed().slice(1, 3)
      expect(await store.messages.list({ ...page, order: 'desc' })).toEqual(last)
      expect(await store.messages.findNextAvailable(account)).toBe(getNextAvailable(model, account))
      expect(await store.messages.getQueueDepth(account, model.now)).toEqual(model.depth(account))
      await this.#compareCounts(account)
      expect(sortAsText(await store.doNotText.list(account))).toEqual(
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
    for (const id of model.ids.slice(-3)) expect(await this.#getAny(id)).toEqual(model.get(id))
    const ended = await store.messages.listExpiredLeases(accounts, model.now, 1e9)
    expect(ended.map(each => each.id).sort()).toEqual(model.expiredLeases())
    await this.#compareEvents()
    await this.#compareSubscriptions()
  }

  async #getAny(id: string): Promise<Message | undefined> {
    const found = await Promise.all(accounts.map(account => this.store.messages.get(account, id)))
    return found.find(each => each !== undefined)
  }

  async #compareCounts(account: string): Promise<void> {
    const model = this.#model
    const from = getQuarterHour(start) * quarterHour
    const count = getQuarterHour(model.now) - getQuarterHour(start) + 1
    const spans = { from, length: quarterHour, count }
    const counts = await this.store.statistics.getCounts(account, spans)
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

  async #compareEvents(): Promise<void> {
    const all = (await Promise.all(accounts.map(each => listEvents(this.store, each)))).flat()
    const events = all.sort((a, b) => a.seq - b.seq)
    expect(sortAsText(events.map(withoutSeq))).toEqual(sortAsText(this.#model.state.events))
    for (const [at, event] of events.entries()) {
      expect(event.at).toBeGreaterThanOrEqual(events[at - 1]?.at ?? 0)
      const text = JSON.stringify(withoutSeq(event))
      expect(this.#seen.get(event.seq) ?? text).toBe(text)
      this.#seen.set(event.seq, text)
    }
  }

  async #compareSubscriptions(): Promise<void> {
    const { subscriptions } = this.#model.state
    const listed = await this.store.subscriptions.list()
    expect(listed.map(each => [each.id, each.triggered])).toEqual(
      subscriptions.map(each => [each.id, each.triggered]),
    )
    for (const subscription of subscriptions) {
      const pending = (await this.#undelivered(subscription)).map(withoutSeq)
      expect(sortAsText(pending)).toEqual(sortAsText(subscription.pending))
    }
  }

  async #undelivered({ id, account, event }: ModelSubscription) {
    const cursor = (await this.store.subscriptions.get(id))?.cursor ?? 0
    return await this.store.events.listAfter(account, event, cursor, 1e9)
  }

  async #journal(): Promise<string> {
    const names = (await readdir(this.#folder)).sort()
    return join(this.#folder, names.findLast(name => name.startsWith('journal')) ?? 'none')
  }
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
