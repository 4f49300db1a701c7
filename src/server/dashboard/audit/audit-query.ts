import { type AuditFilter, auditActions } from '../../../domain/audit/audit-entry.js'
import { addDays, findDayStart } from '../../../domain/time/local-day.js'
import { getQueryField, type PageRequest } from '../page/page.js'
import { parseDay, readTimeZone, type TimeZoneSource } from '../page/page-times.js'

const maxLength = 254

export const auditResources = [...new Set(auditActions.map(action => action.split('.')[0] ?? ''))]

const fieldNames = ['q', 'action', 'target', 'address', 'account', 'from', 'to'] as const

/** The fields of the dashboard's address of an audit log; an empty one is not in use. */
export type AuditPageQuery = Readonly<Record<(typeof fieldNames)[number] | 'before', string>>

export function readAuditQuery(request: PageRequest): AuditPageQuery {
  const read = (name: string) => getQueryField(request, name).trim().slice(0, maxLength)
  const readDay = (name: string) => parseDay(read(name), request)
  const action = auditResources.find(each => each === read('action')) ?? ''
  return {
    ...{ q: read('q'), action, target: read('target'), address: read('address') },
    ...{ account: read('account'), from: readDay('from'), to: readDay('to') },
    before: read('before'),
  }
}

export function isFiltered(query: AuditPageQuery): boolean {
  return fieldNames.some(name => query[name] !== '')
}

export function toAuditFilter(
  { q, action, target, address, from, to }: AuditPageQuery,
  request: TimeZoneSource,
): AuditFilter {
  const zone = readTimeZone(request)
  const given = Object.entries({ actor: q, action, target, address })
  return {
    ...Object.fromEntries(given.filter(([, value]) => value !== '')),
    since: from === '' ? undefined : findDayStart(from, zone),
    until: to === '' ? undefined : findDayStart(addDays(to, 1), zone),
  }
}
