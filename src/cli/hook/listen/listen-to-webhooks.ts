import { once } from 'node:events'
import { getObjectId } from '../../../contract/event-schema.js'
import { createAuthorization } from '../../../contract/webhook/webhook-request.js'
import type { OutgoingRequest } from '../../../net/client/send-request.js'
import { fetchObject } from '../fetch-object.js'
import { type RawWebhook, startWebhookReceiver } from '../webhook-receiver.js'
import type { ListenContext } from './listen-context.js'
import { type EventWebhook, TemporarySubscriptions } from './temporary-subscriptions.js'

/**
 * Header fields of one connection (RFC 9110 section 7.6.1), and Content-Length, which is set again
 * when a webhook is forwarded.
 */
const connectionFields = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'content-length',
]

/**
 * Receives webhooks of temporary subscriptions until `hook listen` ends, then removes the
 * subscriptions. Returns the ids of those that could not be removed.
 */
export async function listenToWebhooks(context: ListenContext): Promise<readonly string[]> {
  const { client, settings, events, forwardTo, end } = context
  let start = (): void => {}
  const started = new Promise<void>(resolve => {
    start = resolve
  })
  let subscriptions: TemporarySubscriptions | undefined
  let remaining: readonly string[] = []
  const receiver = await startWebhookReceiver({
    host: settings.host,
    port: settings.port,
    onWebhook: async received => {
      await started
      const webhook = subscriptions?.parseWebhook(received)
      if (webhook === undefined || end.signal.aborted) return { status: 404 }
      return { status: await handleWebhook(context, received, webhook) }
    },
  })
  const url = settings.publicUrl ?? receiver.url
  subscriptions = new TemporarySubscriptions({ client, events, url, ...settings.webhook })
  try {
    await subscriptions.create(end.signal)
    context.onEvent({ type: 'ready', mode: 'port', url, events, ...forwardTo })
    start()
    if (!end.signal.aborted) await once(end.signal, 'abort')
  } catch (error) {
    if (!end.signal.aborted) throw error
  } finally {
    start()
    await receiver.close()
    remaining = await subscriptions.remove()
  }
  return remaining
}

async function handleWebhook(
  { client, settings, end, delivery, clock, onEvent }: ListenContext,
  received: RawWebhook,
  webhook: EventWebhook,
): Promise<number> {
  const { headers, body } = webhook
  const canFetch = settings.fetches && getObjectId(webhook) !== null
  const fetched = canFetch
    ? { fetched: await fetchObject(client, webhook, end.signal, clock.sleep) }
    : {}
  onEvent({ type: 'hit', ...webhook, ...fetched }, { headers, body })
  if (delivery === undefined) {
    end.countEvent(webhook.event)
    return settings.respond
  }
  const request = createForwardedRequest(received, delivery.target)
  const { status, ok } = await delivery.forward(request, webhook, end.signal)
  if (ok) end.countEvent(webhook.event)
  else if (settings.expected !== undefined) end.end('unexpected')
  return status ?? 502
}

/**
 * Forwards a webhook with its method, header fields and bytes. Its query is appended to that of
 * --forward-to.
 */
function createForwardedRequest(webhook: RawWebhook, target: string): OutgoingRequest {
  const to = new URL(target)
  const start = webhook.url.indexOf('?')
  const queries = [to.search.slice(1), start === -1 ? '' : webhook.url.slice(start + 1)]
  const query = queries.filter(part => part !== '').join('&')
  const path = query === '' ? to.pathname : `${to.pathname}?${query}`
  return {
    method: webhook.method,
    url: to.origin + path,
    target: path,
    headers: {
      Host: to.host,
      ...createAuthorization(to),
      ...mergeFields(webhook.rawHeaders),
      'Content-Length': String(webhook.bytes.length),
    },
    body: webhook.bytes,
  }
}

/**
 * For `hook listen`, joins repeated header fields of a webhook with commas (RFC 9110 section 5.3).
 */
function mergeFields(rawHeaders: readonly string[]): Record<string, string> {
  const fields = new Map<string, { name: string; value: string }>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2)
    const key = name.toLowerCase()
    if (key === 'host' || connectionFields.includes(key)) continue
    const field = fields.get(key)
    if (field === undefined) fields.set(key, { name, value })
    else field.value += `, ${value}`
  }
  return Object.fromEntries([...fields.values()].map(({ name, value }) => [name, value]))
}
