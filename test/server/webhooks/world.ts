import { cp, lstat, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Message } from '../../../src/domain/message/message.js'
import type { EventName } from '../../../src/domain/webhook/event.js'
import type { Subscription } from '../../../src/domain/webhook/subscription.js'
import { openLowdbStore } from '../../../src/server/store/lowdb/lowdb-store.js'
import type { Store } from '../../../src/server/store/store.js'
import {
  createWebhookDispatcher,
  type WebhookDispatcher,
  type WebhookDispatcherOptions,
} from '../../../src/server/webhooks/webhook-dispatcher.js'
import { FakeClock } from '../../util/async/fake-clock.js'

/** A store in its own directory with a clock that the test moves. */
export class World {
  readonly clock = new FakeClock()
  #directory: string
  store: Store
  #ids = 0

  private constructor(directory: string, store: Store) {
    this.#directory = directory
    this.store = store
  }

  static async open(): Promise<World> {
    const directory = await mkdtemp(join(tmpdir(), 'smsrelay-delivery-'))
    const world = new World(directory, await openLowdbStore(directory))
    onTestFinished(async () => {
      await world.store.close()
      await rm(world.#directory, { recursive: true })
    })
    return world
  }

  /** Closes the store and opens it again. */
  async reopen(): Promise<void> {
    await this.store.close()
    this.store = await openLowdbStore(this.#directory)
  }

  /**
   * Opens a store on a copy of the files as they are now, as after `kill -9`. The returned function
   * closes the store before.
   */
  async kill(): Promise<() => Promise<void>> {
    const copy = await mkdtemp(join(tmpdir(), 'smsrelay-delivery-'))
    const { store } = this
    await cp(this.#directory, copy, { recursive: true, filter: isDataFile })
    const killed = this.#directory
    this.#directory = copy
    this.store = await openLowdbStore(copy)
    return async () => {
      await store.close()
      await rm(killed, { recursive: true })
    }
  }

  async subscribe(url: string, changes: Partial<Subscription> = {}): Promise<Subscription> {
    this.#ids += 1
    return await this.store.subscriptions.create({
      id: `subscription-${this.#ids}`,
      account: 'a',
      event: 'message.create',
      url,
      method: 'POST',
      post: false,
      triggered: 0,
      createdAt: 0,
      ...changes,
    })
  }

  /** Records one event on each of these messages. */
  async record(
    ids: readonly string[],
    event: EventName = 'message.create',
    account = 'a',
  ): Promise<void> {
    for (const id of ids) {
      await this.store.messages.change(account, id, () => ({
        message: messageWith(id, account),
        events: [event],
      }))
    }
  }

  async edit(subscription: Subscription, changes: Partial<Subscription>): Promise<void> {
    await this.store.subscriptions.change(subscription.id, current => ({ ...current, ...changes }))
  }

  async read(subscription: Subscription): Promise<Subscription | undefined> {
    return await this.store.subscriptions.get(subscription.id)
  }

  /** Starts a dispatcher with this clock, which stops at the end of the test. */
  async dispatch(options: Partial<WebhookDispatcherOptions> = {}): Promise<WebhookDispatcher> {
    const { clock, store } = this
    const dispatcher = createWebhookDispatcher({ store, clock, ...options })
    onTestFinished(async () => {
      const stopped = dispatcher.stop()
      clock.advance(60_000)
      await stopped
    })
    await dispatcher.start()
    return dispatcher
  }
}

/** `a1`, `a2` … */
export function names(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`)
}

async function isDataFile(path: string): Promise<boolean> {
  return !(await lstat(path)).isSocket()
}

function messageWith(id: string, account: string): Message {
  return {
    id,
    account,
    destination: '+12025550143',
    number: '+12025550143',
    text: 'hello',
    source: 'api',
    status: 'N',
    createdAt: 0,
    sendAt: 0,
    statusAt: 0,
    failures: 0,
  }
}
