import { toAuditFields } from '../../../contract/audit/audit-schema.js'
import type { AuditEntry } from '../../../domain/audit/audit-entry.js'
import { formatDateTime } from '../../../domain/time/date-time.js'
import { csvFileStart, formatCsvRow } from '../../../util/text/csv-row.js'
import type { ServerContext } from '../../http/server-context.js'
import type { PageRequest } from '../page/page.js'
import { readAuditQuery, toAuditFilter } from './audit-query.js'

const entriesPerBatch = 500
const columns = [
  ...['id', 'at', 'account', 'action', 'refused', 'actor_kind', 'actor_id', 'actor'],
  ...['target_kind', 'target_id', 'target', 'detail', 'address', 'device', 'request'],
]

/**
 * Streams the dashboard's audit log as CSV, with the filters of the page: a batch is read when the
 * browser has taken the one before. After an error the connection closes without the end of the
 * file, so that the browser sees it.
 */
export async function sendAuditLog(
  request: PageRequest,
  { audit }: Pick<ServerContext, 'audit'>,
): Promise<undefined> {
  const { http, response, account, now } = request
  const name = `audit-log-${formatDateTime(now).slice(0, 10)}.csv`
  const fields = {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${name}"`,
    'Cache-Control': 'private, no-store',
  }
  if (http.method === 'HEAD') {
    response.send(200, fields)
    return undefined
  }
  const query = readAuditQuery(request)
  const chosen = query.account === '' ? undefined : query.account
  const filter = { ...toAuditFilter(query, request), account: chosen, count: entriesPerBatch }
  try {
    for (let before: string | undefined; ; ) {
      const batch = await audit.getPage(account, { ...filter, before })
      const head = response.headersSent ? '' : csvFileStart + formatCsvRow(columns)
      response.startStream(200, fields)
      response.write(head + batch.map(formatEntry).join(''))
      if (!(await response.drained())) return undefined
      before = batch.at(-1)?.id
      if (batch.length < entriesPerBatch) break
    }
    response.endStream()
  } catch (error) {
    if (response.headersSent) response.destroy()
    throw error
  }
  return undefined
}

function formatEntry(entry: AuditEntry): string {
  const { actor, target, refused, ...fields } = toAuditFields(entry)
  const { id, at, account, action, detail, address, device, request } = fields
  return formatCsvRow(
    [
      ...[id, at, account, action, refused ? 'refused' : '', actor.kind, actor.id, actor.name],
      ...[target?.kind, target?.id, target?.name, detail, address, device, request],
    ].map(value => value ?? ''),
  )
}
