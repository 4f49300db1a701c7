import { join } from 'node:path'
import { DeliveryFiles } from '../delivery-files.js'
import type { Store } from '../store.js'
import { LowdbAccounts, LowdbTokens } from './accounts.js'
import { LowdbBlocklist } from './blocklist.js'
import { Engine } from './engine.js'
import type { JournalAdapterOptions } from './journal-adapter.js'
import { LowdbMessages } from './messages.js'
import { LowdbOwned } from './owned.js'
import { LowdbReceived } from './received.js'
import { LowdbEvents, LowdbSubscriptions } from './subscriptions.js'

/** Options of {@link openLowdbStore}. */
export interface LowdbStoreOptions extends JournalAdapterOptions {
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

/**
 * Opens the embedded store in a directory, which this process must hold alone. Throws `damaged_data` and
 * `configuration`.
 */
export async function openLowdbStore(
  directory: string,
  options: LowdbStoreOptions = {},
): Promise<Store> {
  const engine = await Engine.open(directory, options)
  const deliveries = new DeliveryFiles(join(directory, 'deliveries'), {
    isKept: id => engine.data.subscription.has(id),
    ...(options.warn === undefined ? {} : { warn: options.warn }),
  })
  engine.watch(({ subscriptions }) => deliveries.follow(subscriptions))
  return {
    messages: new LowdbMessages(engine, options.now ?? Date.now),
    accounts: new LowdbAccounts(engine),
    tokens: new LowdbTokens(engine),
    subscriptions: new LowdbSubscriptions(engine),
    events: new LowdbEvents(engine),
    blocklist: new LowdbBlocklist(engine),
    capabilities: new LowdbOwned(engine, 'capability'),
    mailboxes: new LowdbOwned(engine, 'mailbox'),
    phones: new LowdbOwned(engine, 'phone'),
    received: new LowdbReceived(engine),
    deliveries,
    watch: listener => engine.watch(listener),
    close: async () => {
      await deliveries.close()
      await engine.close()
    },
  }
}
