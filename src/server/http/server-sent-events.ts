import { toEventFields } from '../../contract/event-schema.js'
import type { HttpRequest } from '../../net/server/http-request.js'
import type { HttpResponse } from '../../net/server/http-response.js'
import type { EventBatch } from '../services/webhooks/event-service.js'

export type EventBatchSource = (signal: AbortSignal) => AsyncIterable<EventBatch>

export interface EventStreamOptions {
  /** Milliseconds until an HTTP client of an event stream that reads no data is disconnected. */
  readonly writeTimeout: number
  readonly stopping: AbortSignal
}

/**
 * For any server-sent events: header X-Accel-Buffering keeps nginx from collecting them before it
 * sends them.
 */
const head = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
}

const heartbeat = ':\n\n'

/**
 * Sends server-sent events (HTML standard, section 9.2) until they end or the client disconnects.
 * Requests the next batch after the client has read the previous one.
 */
export async function sendEvents(
  request: HttpRequest,
  response: HttpResponse,
  source: EventBatchSource,
  options: EventStreamOptions,
): Promise<void> {
  await sendStream(request, response, signal => formatBatches(source(signal)), options)
}

async function* formatBatches(batches: AsyncIterable<EventBatch>): AsyncGenerator<string> {
  for await (const batch of batches) yield formatBatch(batch)
}

/**
 * Sends server-sent events that say only that something changed, for the open pages of people.
 * Requests the next one after the client has read the previous one.
 * @param source yields true after a change, and false for a heartbeat
 */
export async function sendChangeNotices(
  request: HttpRequest,
  response: HttpResponse,
  source: (signal: AbortSignal) => AsyncIterable<boolean>,
  options: EventStreamOptions,
): Promise<void> {
  await sendStream(request, response, signal => formatNotices(source(signal)), options)
}

async function* formatNotices(notices: AsyncIterable<boolean>): AsyncGenerator<string> {
  for await (const hasChanged of notices) yield hasChanged ? 'data: change\n\n' : heartbeat
}

async function sendStream(
  request: HttpRequest,
  response: HttpResponse,
  source: (signal: AbortSignal) => AsyncIterable<string>,
  options: EventStreamOptions,
): Promise<void> {
  if (request.method === 'HEAD') return response.send(200, head)
  response.startStream(200, head)
  // This comment line in the server-sent events tells the client that the stream is open.
  let isOpen = await writeText(response, ': ok\nretry: 1000\n\n', options)
  if (isOpen) {
    for await (const text of source(request.signal)) {
      isOpen = await writeText(response, text, options)
      if (!isOpen) break
    }
  }
  if (isOpen) response.endStream()
  else response.destroy()
}

async function writeText(
  response: HttpResponse,
  text: string,
  { writeTimeout, stopping }: EventStreamOptions,
): Promise<boolean> {
  if (response.write(text)) return true
  const disconnect = (): void => response.destroy()
  const timer = setTimeout(disconnect, writeTimeout)
  stopping.addEventListener('abort', disconnect)
  if (stopping.aborted) disconnect()
  const isOpen = await response.drained()
  clearTimeout(timer)
  stopping.removeEventListener('abort', disconnect)
  return isOpen
}

function formatBatch({ events, missingAfter }: EventBatch): string {
  const gap =
    missingAfter === undefined ? '' : formatServerSentEvent('missing', { after: missingAfter })
  const all = events.map(
    each => `id: ${each.seq}\n${formatServerSentEvent(each.event, toEventFields(each))}`,
  )
  return all.length === 0 && gap === '' ? heartbeat : gap + all.join('')
}

function formatServerSentEvent(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}
