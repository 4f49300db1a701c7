import { join } from 'node:path'
import type { Store } from '../store.js'
import { DeliveryLogFiles } from './delivery-log-files.js'
import { Engine } from './engine/engine.js'
import type { JournalAdapterOptions } from './journal/journal-adapter.js'
import { LowdbAccountRecords } from './lowdb-account-records.js'
import { LowdbAccounts, LowdbTokens } from './lowdb-accounts.js'
import { LowdbDoNotText } from './lowdb-do-not-text.js'
import { LowdbMessages } from './lowdb-messages.js'
import { LowdbReceivedTexts } from './lowdb-received-texts.js'
import { LowdbStatistics } from './lowdb-statistics.js'
import { LowdbEvents, LowdbSubscriptions } from './lowdb-subscriptions.js'

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
  const deliveries = new DeliveryLogFiles(join(directory, 'deliveries'), {
    subscriptionExists: id => engine.data.subscription.has(id),
    ...(options.warn === undefined ? {} : { warn: options.warn }),
  })
  engine.watch(({ subscriptions }) => deliveries.removeDeletedSubscriptions(subscriptions))
  return {
    messages: new LowdbMessages(engine, options.now ?? Date.now),
    accounts: new LowdbAccounts(engine),
    tokens: new LowdbTokens(engine),
    subscriptions: new LowdbSubscriptions(engine),
    events: new LowdbEvents(engine),
    doNotText: new LowdbDoNotText(engine),
    secretUrls: new LowdbAccountRecords(engine, 'capability'),
    mailboxes: new LowdbAccountRecords(engine, 'mailbox'),
    phones: new LowdbAccountRecords(engine, 'phone'),
    receivedTexts: new LowdbReceivedTexts(engine),
    statistics: new LowdbStatistics(engine),
    deliveryLog: deliveries,
    watch: listener => engine.watch(listener),
    close: async () => {
      await deliveries.close()
      await engine.close()
    },
  }
}
