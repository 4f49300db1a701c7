import type { Resource } from '../../../../resources/resource.js'
import { allResources } from '../../../../resources/resources.js'
import type { RecordChange } from '../../audit-store.js'
import { createChange } from '../audit/audited-statement.js'
import type { Statement } from '../connection/statement.js'
import {
  deleteAll,
  notifyOf,
  type RecordContext,
  runChange,
  runStatement,
} from './record-context.js'

/** Rows that one statement of a removal deletes at most. */
const batch = 1000

/**
 * Removes at once the account and its credentials, and notes that the rest is to be removed. The
 * note stays until that is done, so that a node that starts completes the removal of one that died.
 */
const beginRemoval = createChange(
  'account-begin-removal',
  append => `
    with note as (insert into account_removal (account) values ($1) on conflict do nothing),
      removed as (delete from account where id = $1 returning id),
      tokens as (delete from token where account = $1),
      people as (delete from person where account = $1),
      invitations as (delete from invitation where account = $1),
      urls as (delete from secret_url where account = $1),
      phones as (delete from phone where account = $1),
      ${allResources.map(removeResource).join('')}
      subscriptions as (delete from subscription where account = $1 returning id)
      ${append('exists (select from removed)')}
    select id from subscriptions`,
)

function removeResource({ name, plural, table = name }: Resource): string {
  return `${plural} as (delete from ${table} where account = $1),
      `
}

const endRemoval: Statement = {
  name: 'account-end-removal',
  text: `
    with clock as (delete from account_clock where account = $1),
      purged as (delete from purged_event where account = $1)
    delete from account_removal where account = $1`,
}

const listRemovals: Statement = {
  name: 'account-removals',
  text: 'select account from account_removal',
}

/** Tables with many rows of an account, and the column that names a row within the account. */
const largeTables = [
  ['message', 'account', 'id'],
  ['idempotency_key', 'account', 'key'],
  ['received_text', 'account', 'id'],
  ['do_not_text', 'scope', 'number'],
  ['contact', 'account', 'number'],
  ['message_count', 'account', 'quarter'],
] as const

const deletions: readonly Statement[] = largeTables.map(([table, account, key]) => ({
  name: `account-delete-${table}`,
  text: `
    delete from ${table} where ${account} = $1 and ${key} = any(array(
      select ${key} from ${table} where ${account} = $1 limit $2))
    returning 1`,
}))

const deleteEvents: Statement = {
  name: 'account-delete-events',
  text: `
    delete from event where (account, name, seq) in (
      select account, name, seq from event where account = $1 limit $2)
    returning 1`,
}

const deleteGroupCounts: Statement = {
  name: 'account-delete-group-counts',
  text: `
    delete from message_group_count where (account, span, quarter, name) in (
      select account, span, quarter, name from message_group_count where account = $1 limit $2)
    returning 1`,
}

/**
 * Removes an account with everything that belongs to it; large tables in batches, so that no
 * statement runs for long. Resolves to the identifiers of its subscriptions.
 */
export async function removeAccount(
  context: RecordContext,
  account: string,
  changes: readonly RecordChange[],
): Promise<string[]> {
  const { rows } = await runChange<{ id: string }>(context, beginRemoval, [account], changes)
  context.audit?.confirm(changes)
  const subscriptions = rows.map(({ id }) => id)
  notifyOf(context, account)
  if (subscriptions.length > 0) notifyOf(context, account, { subscriptions })
  await removeRest(context, account)
  return subscriptions
}

export async function completeRemovals(context: RecordContext): Promise<void> {
  for (const { account } of await runStatement<{ account: string }>(context, listRemovals, []))
    await removeRest(context, account)
}

/** Repeats until nothing is left: requests that began before the removal may still add records. */
async function removeRest(context: RecordContext, account: string): Promise<void> {
  for (let isDone = false; !isDone; ) {
    isDone = true
    for (const statement of [...deletions, deleteEvents, deleteGroupCounts]) {
      const deleted = await deleteAll(context, statement, [account], batch)
      if (deleted > 0) isDone = false
    }
    await runStatement(context, beginRemoval, [account])
  }
  await runStatement(context, endRemoval, [account])
}
