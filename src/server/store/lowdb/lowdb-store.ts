// The embedded store: records in memory, on disk as a journal over a snapshot.
//
// `lowdb-*` implement the port, one file for each resource: they run their changes as transactions
// of the engine and answer from records and indexes.
//
//   engine/         runs transactions in memory and commits them in groups
//   records/        the types of the records and of their changes
//   message-table/  the messages; final ones are encoded
//   indexes/        finds records by other fields than their key, and counts them
//   files/          writes and reads single data files: snapshot, journal, manifest
//   journal/        reads all of them, appends changes, compacts, checks and repairs
//
// `delete-*` delete expired records in small transactions. `delivery-log/` is apart from the
// records, because deliveries are not promised to be durable, and so are the `limits/`, of which
// only forms are in a file.
import { join } from 'node:path'
import type { Store } from '../store.js'
import { createSoleLeases } from '../worker-leases.js'
import { LowdbAuditLog } from './audit/lowdb-audit-log.js'
import { DeliveryLogFiles } from './delivery-log/delivery-log-files.js'
import { Engine } from './engine/engine.js'
import type { JournalAdapterOptions } from './journal/journal-adapter.js'
import { LowdbLimits } from './limits/lowdb-limits.js'
import {
  createResourceStores,
  LowdbAccountLists,
  LowdbAccountRecords,
  LowdbPeople,
} from './lowdb-account-records.js'
import { LowdbAccounts, LowdbTokens } from './lowdb-accounts.js'
import { LowdbContacts } from './lowdb-contacts.js'
import { LowdbDoNotText } from './lowdb-do-not-text.js'
import { LowdbMessages } from './lowdb-messages.js'
import { LowdbReceivedTexts } from './lowdb-received-texts.js'
import { LowdbStatistics } from './lowdb-statistics.js'
import { LowdbEvents, LowdbSubscriptions } from './lowdb-subscriptions.js'

export interface LowdbStoreOptions extends JournalAdapterOptions {
  readonly now?: () => number
  readonly deliveryLogBytes?: number
}

export async function openLowdbStore(
  directory: string,
  options: LowdbStoreOptions = {},
): Promise<Store> {
  const engine = await Engine.open(directory, options)
  const deliveryLog = new DeliveryLogFiles(join(directory, 'deliveries'), {
    subscriptionExists: id => engine.data.subscription.has(id),
    maxBytes: options.deliveryLogBytes ?? 1024 ** 3,
    ...(options.warn === undefined ? {} : { warn: options.warn }),
  })
  engine.watch(({ subscriptions }) => deliveryLog.removeDeletedSubscriptions(subscriptions))
  const now = options.now ?? Date.now
  const messages = new LowdbMessages(engine, now)
  const limits = new LowdbLimits()
  return {
    isShared: false,
    messages,
    accounts: new LowdbAccounts(engine),
    tokens: new LowdbTokens(engine),
    people: new LowdbPeople(engine),
    invitations: new LowdbAccountRecords(engine, 'invitation'),
    subscriptions: new LowdbSubscriptions(engine, now),
    doNotText: new LowdbDoNotText(engine),
    secretUrls: new LowdbAccountLists(engine, 'capability'),
    phones: new LowdbAccountRecords(engine, 'phone'),
    ...createResourceStores(engine),
    contacts: new LowdbContacts(engine),
    events: new LowdbEvents(engine),
    receivedTexts: new LowdbReceivedTexts(engine),
    statistics: new LowdbStatistics(engine),
    limits,
    auditLog: new LowdbAuditLog(engine),
    deliveryLog,
    workerLeases: createSoleLeases(),
    watch: listener => engine.watch(listener),
    runExclusively: async (_, work) => await work(),
    deleteExpired: async now => {
      await messages.deleteExpiredKeys(now)
      limits.deleteExpired(now)
    },
    isAway: () => false,
    findFailure: async () => {
      const failure = await engine.findWriteFailure()
      return failure && { check: 'store', ...failure }
    },
    close: async () => {
      await deliveryLog.close()
      await engine.close()
    },
  }
}
