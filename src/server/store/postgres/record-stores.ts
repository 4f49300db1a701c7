import type { AccountRecord } from '../../../domain/account/account-record.js'
import type { Invitation } from '../../../domain/account/person.js'
import type { SecretUrl } from '../../../domain/account/secret-url.js'
import type { PhoneRecord } from '../../../domain/phone/phone-status.js'
import type { Clock } from '../../../util/async/clock.js'
import { getAudit } from '../audit-scope.js'
import type { AuditedKind } from '../audit-store.js'
import type { Store, StoreChange } from '../store.js'
import type { Database } from './connection/database.js'
import { PostgresContacts } from './contacts/postgres-contacts.js'
import { completeRemovals } from './records/account-removal.js'
import {
  createResourceStores,
  PostgresAccountRecords,
  PostgresPeople,
} from './records/postgres-account-records.js'
import { PostgresAccounts } from './records/postgres-accounts.js'
import { PostgresAuditLog } from './records/postgres-audit-log.js'
import { PostgresDeliveryLog } from './records/postgres-delivery-log.js'
import { PostgresDoNotText } from './records/postgres-do-not-text.js'
import { PostgresReceivedTexts } from './records/postgres-received-texts.js'
import { PostgresStatistics } from './records/postgres-statistics.js'
import { PostgresTokens } from './records/postgres-tokens.js'
import type { RecordContext } from './records/record-context.js'
import { PostgresSubscriptions } from './subscriptions/postgres-subscriptions.js'
import type { DatabaseNode } from './workers/database-node.js'

export interface RecordStoresOptions {
  readonly database: Pick<Database, 'connect' | 'retry'>
  readonly clock: Pick<Clock, 'now' | 'monotonic'>
  readonly node: Pick<DatabaseNode, 'notify' | 'watch'>
  readonly newId: () => string
  readonly deliveryLogBytes?: number | undefined
  readonly warn?: ((sentence: string) => void) | undefined
}

export function createRecordStores(options: RecordStoresOptions) {
  const { node, deliveryLogBytes = 1024 ** 3, warn } = options
  const context = createContext(options)
  const deliveryLog = new PostgresDeliveryLog(context, { maxBytes: deliveryLogBytes, warn })
  const onRemoved = (ids: readonly string[]) => deliveryLog.removeSubscriptions(ids)
  const accounts = new PostgresAccounts(context, onRemoved)
  const createRecords = <T extends AccountRecord>(name: string, kind: AuditedKind) =>
    new PostgresAccountRecords<T>(context, { name, kind, columns: [] })
  const tokens = new PostgresTokens(context)
  const people = new PostgresPeople(context)
  node.watch(change => {
    if (!isOfAccount(change)) return
    accounts.forget(change.account)
    tokens.forgetAll()
    people.forgetAll()
  })
  const stores = {
    ...{ accounts, tokens, people },
    invitations: createRecords<Invitation>('invitation', 'invitation'),
    secretUrls: createRecords<SecretUrl>('secret_url', 'secret_url'),
    phones: createRecords<PhoneRecord>('phone', 'phone'),
    ...createResourceStores(context),
    contacts: new PostgresContacts(context),
    subscriptions: new PostgresSubscriptions(context, {
      getAccount: async id => await accounts.get(id),
      onRemoved,
    }),
    doNotText: new PostgresDoNotText(context),
    receivedTexts: new PostgresReceivedTexts(context),
    statistics: new PostgresStatistics(context),
    auditLog: new PostgresAuditLog(context),
    deliveryLog,
  } satisfies Partial<Store>
  return {
    stores,
    /** Completes in the background the removals of accounts that another node began. */
    completeRemovals: () => void completeRemovals(context).catch(() => {}),
    close: async () => await deliveryLog.close(),
  }
}

function createContext({ database, clock, node, newId }: RecordStoresOptions): RecordContext {
  return {
    database,
    connection: database.connect('records'),
    now: clock.now,
    monotonic: clock.monotonic,
    createOperation: newId,
    notify: change => node.notify(change),
    get audit() {
      return getAudit()
    },
  }
}

function isOfAccount({ messages, events, subscriptions, foreign }: StoreChange): boolean {
  return foreign === undefined && messages.length + events.length + subscriptions.length === 0
}
