import type { ServerResponse } from 'node:http'
import { toEventFields } from '../../contract/event-schema.js'
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
  Connection: 'close',
}

/**
 * Sends pieces as server-sent events (HTML standard, section 9.2) until they end or the reader is gone. A piece is
 * asked for when the one before was taken, so that a slow reader holds up nothing but itself.
 */
export async function sendEvents(
  { method }: { readonly method?: string | undefined },
  response: ServerResponse,
  pieces: StreamSource,
  options: EventStreamOptions,
): Promise<void> {
  response.writeHead(200, head)
  if (method === 'HEAD') return void response.end()
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  if (response.destroyed) gone.abort()
  // A comment at once: the reader knows that the stream stands.
  let taken = await writeText(response, ': ok\nretry: 1000\n\n', options)
  if (taken) {
    for await (const piece of pieces(gone.signal)) {
      taken = await writeText(response, formatPiece(piece), options)
      if (!taken) break
    }
  }
  if (taken) response.end()
  else response.destroy()
}

/** Resolves to whether the reader took enough of it, in time. */
async function writeText(
  response: ServerResponse,
  text: string,
  options: EventStreamOptions,
): Promise<boolean> {
  if (response.destroyed) return false
  if (response.write(text)) return true
  const { patience, stopping } = options
  return await new Promise(resolve => {
    const taken = (): void => settle(true)
    const lost = (): void => settle(false)
    const timer = setTimeout(lost, patience)
    const settle = (isTaken: boolean): void => {
      clearTimeout(timer)
      response.off('drain', taken).off('close', lost)
      stopping.removeEventListener('abort', lost)
      resolve(isTaken)
    }
    response.on('drain', taken).on('close', lost)
    stopping.addEventListener('abort', lost)
    if (stopping.aborted) lost()
  })
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
