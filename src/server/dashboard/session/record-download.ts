import type { Account } from '../../../domain/account/account.js'
import type { AuditAction, AuditOrigin } from '../../../domain/audit/audit-entry.js'
import type { HttpRequest } from '../../../net/server/http-request.js'
import type { ServerContext } from '../../http/server-context.js'

/** Files that take many records out of the relay, by path. */
const downloads: Readonly<Record<string, AuditAction>> = {
  '/messages.csv': 'message.export',
  '/contacts/export': 'contact.export',
  '/do-not-text/export': 'do_not_text.export',
  '/statistics.csv': 'statistics.export',
  '/audit.csv': 'audit.export',
}

export async function recordDownload(
  { audit }: Pick<ServerContext, 'audit'>,
  { http, account, origin }: { http: HttpRequest; account: Account; origin: AuditOrigin },
): Promise<void> {
  const action = http.method === 'GET' ? downloads[http.path] : undefined
  if (action !== undefined) await audit.record(origin, { account: account.id, action })
}
