// The command `audit list`: sign-ins and changes, newest first.
//
// - audit-views: the columns of the list
// - the flags choose entries by time, action, actor, target and address; the relay filters
// - an account sees its own entries, that of the owner also those of the others
import type { AuditFields } from '../../contract/audit/audit-schema.js'
import type { Column } from '../output/column.js'

export const auditColumns: readonly Column<AuditFields>[] = [
  { name: 'id', isId: true, isOptional: true, read: each => each.id },
  { name: 'at', isTime: true, read: each => each.at },
  { name: 'action', read: each => each.action },
  { name: 'refused', empty: '-', read: each => (each.refused ? 'refused' : undefined) },
  { name: 'actor', read: ({ actor }) => actor.name ?? actor.id ?? actor.kind },
  { name: 'target', empty: '-', read: each => formatTarget(each) },
  { name: 'detail', empty: '-', canTruncate: true, read: each => each.detail },
  { name: 'address', empty: '-', read: each => each.address },
  { name: 'device', empty: '-', read: each => each.device },
  { name: 'account', read: each => each.account },
]

function formatTarget({ target }: AuditFields): string | undefined {
  return target && `${target.kind} ${target.name ?? target.id ?? ''}`.trim()
}
