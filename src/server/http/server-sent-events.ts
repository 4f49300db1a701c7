import { toEventFields } from '../../contract/event-schema.js'
import type { HttpRequest } from '../../net/server/http-request.js'
import type { HttpResponse } from '../../net/server/http-response.js'
import type { EventBatch } from '../services/webhooks/event-service.js'

/** A source of pieces that ends with the signal. */
export type StreamSource = (signal: AbortSignal) => AsyncIterable<EventBatch>

/** How a stream is sent. */
export interface EventStreamOptions {
  /** Milliseconds that a reader may take nothing. */
  readonly patience: number
  /** Aborted when the service stops: what a slow reader has not taken is dropped then. */
  readonly stopping: AbortSignal
}

/** Not kept in caches, not collected by nginx, and the last reply on its connection. */
const head = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
}

/**
 * Sends pieces as server-sent events (HTML standard, section 9.2) until they end or the reader is gone. The next piece
 * is requested when the reader took the one before, so a slow reader delays only itself.
 */
export async function sendEvents(
  request: HttpRequest,
  response: HttpResponse,
  pieces: StreamSource,
  options: EventStreamOptions,
): Promise<void> {
  if (request.method === 'HEAD') return response.send(200, head)
  response.startStream(200, head)
  // A comment at once: the reader knows that the stream is open.
  let isTaken = await writeText(response, ': ok\nretry: 1000\n\n', options)
  if (isTaken) {
    for await (const piece of pieces(request.signal)) {
      isTaken = await writeText(response, formatPiece(piece), options)
      if (!isTaken) break
    }
  }
  if (isTaken) response.endStream()
  else response.destroy()
}

/** Resolves to whether the reader took the text in time. */
async function writeText(
  response: HttpResponse,
  text: string,
  { patience, stopping }: EventStreamOptions,
): Promise<boolean> {
  if (response.write(text)) return true
  const giveUp = (): void => response.destroy()
  const timer = setTimeout(giveUp, patience)
  stopping.addEventListener('abort', giveUp)
  if (stopping.aborted) giveUp()
  const isTaken = await response.drained()
  clearTimeout(timer)
  stopping.removeEventListener('abort', giveUp)
  return isTaken
}

function formatPiece({ events, missingAfter }: EventBatch): string {
  const gap =
    missingAfter === undefined ? '' : formatServerSentEvent('missing', { after: missingAfter })
  const all = events.map(
    each => `id: ${each.seq}\n${formatServerSentEvent(each.event, toEventFields(each))}`,
  )
  return all.length === 0 && gap === '' ? ':\n\n' : gap + all.join('')
}

function formatServerSentEvent(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}
