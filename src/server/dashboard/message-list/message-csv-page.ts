import { getDeliveryState } from '../../../domain/message/delivery-status.js'
import { explainFailure } from '../../../domain/message/failure-reason.js'
import { isWaiting, type Message, statusNames } from '../../../domain/message/message.js'
import { formatDateTime } from '../../../domain/time/date-time.js'
import { csvFileStart, formatCsvRow } from '../../../util/text/csv-row.js'
import type { ServerContext } from '../../http/server-context.js'
import { findMessageBatches } from '../../services/messages/message-search.js'
import type { PageRequest, Pages } from '../page/page.js'
import { parseListQuery, toSearch } from './message-list-query.js'

type Cell = string | number | undefined

/** The columns of `smsrelay message list -o csv`; times in UTC. */
const columns: Readonly<Record<string, (message: Message) => Cell>> = {
  id: each => each.id,
  status: each => statusNames[each.status],
  status_date: each => formatDateTime(each.statusAt),
  destination: each => each.destination,
  source: each => each.source,
  created_on: each => formatDateTime(each.createdAt),
  send_on: each => formatDateTime(each.sendAt),
  failure_count: each => each.failures,
  reason: formatReason,
  last_error: each => each.error,
  retry_on: each =>
    each.retryAt !== undefined && isWaiting(each) ? formatDateTime(each.retryAt) : undefined,
  parts: each => each.parts,
  phone: each => each.phone,
  delivery: each => getDeliveryState(each.delivery),
  message: each => each.text,
}

export function createMessageCsvPages(context: Pick<ServerContext, 'messages'>): Pages {
  return {
    '/messages.csv': {
      GET: async request => {
        await sendMessages(request, context)
        return undefined
      },
    },
  }
}

/**
 * Streams the file: a batch of messages is read when the browser has taken the one before. After
 * an error the connection closes without the end of the file, so that the browser sees it.
 */
async function sendMessages(
  request: PageRequest,
  { messages }: Pick<ServerContext, 'messages'>,
): Promise<void> {
  const { http, response, account, now } = request
  const name = `messages-${formatDateTime(now).slice(0, 10)}.csv`
  const fields = {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${name}"`,
    'Cache-Control': 'private, no-store',
  }
  if (http.method === 'HEAD') return response.send(200, fields)
  const search = toSearch(parseListQuery(request), request)
  try {
    for await (const batch of findMessageBatches(messages, account, search)) {
      const header = csvFileStart + formatCsvRow(Object.keys(columns))
      const head = response.headersSent ? '' : header
      response.startStream(200, fields)
      const text = head + batch.map(formatRow).join('')
      if (text !== '') response.write(text)
      if (!(await response.drained())) return
    }
    response.endStream()
  } catch (error) {
    if (response.headersSent) response.destroy()
    throw error
  }
}

function formatRow(message: Message): string {
  return formatCsvRow(Object.values(columns).map(read => String(read(message) ?? '')))
}

/** The last error, if it is why the message is in its state. */
function formatReason({ status, error = '' }: Message): string {
  if (status !== 'E' && status !== 'F' && status !== 'L') return ''
  return (explainFailure(error) ?? error).replace(/\s+/g, ' ').trim()
}
