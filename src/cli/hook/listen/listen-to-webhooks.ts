import { once } from 'node:events'
import { getObjectId, toObjectFields } from '../../../contract/event-schema.js'
import { createAuthorization } from '../../../contract/webhook/webhook-request.js'
import { eventObjects } from '../../../domain/webhook/event.js'
import { isRelayError, isTransient } from '../../../errors.js'
import type { OutgoingRequest } from '../../../net/client/send-request.js'
import { repeat } from '../../../util/async/repeat.js'
import { fetchObject } from '../fetch-object.js'
import { type RawWebhook, startWebhookReceiver, type WebhookReply } from '../webhook-receiver.js'
import type { ListenContext } from './listen-context.js'
import type { EventWebhook } from './listen-events.js'
import type { WebhookCopy } from './local-delivery.js'
import { findObjectId, TemporarySubscriptions } from './temporary-subscriptions.js'
import { verifyWebhook } from './verify-webhook.js'

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

/** Milliseconds between two contacts with the relay; it waits an hour for one. */
const renewInterval = 10 * 60 * 1000

/**
 * Receives webhooks of temporary subscriptions until `hook listen` ends, then removes the
 * subscriptions. Returns the ids of those that could not be removed.
 */
export async function listenToWebhooks(context: ListenContext): Promise<readonly string[]> {
  const { client, settings, events, stateDir, machine, end } = context
  let start = (): void => {}
  const started = new Promise<void>(resolve => {
    start = resolve
  })
  let subscriptions: TemporarySubscriptions | undefined
  let failure: unknown
  const receiver = await startWebhookReceiver({
    host: settings.host,
    port: settings.port,
    onWebhook: async received => {
      await started
      const webhook = subscriptions?.parseWebhook(received)
      if (webhook === undefined || end.signal.aborted) return { status: 404 }
      return await handleWebhook(context, received, webhook).catch(error => {
        failure ??= error
        end.end('stopped')
        return { status: 500 }
      })
    },
  })
  const url = settings.publicUrl ?? receiver.url
  const options = { client, events, url, machine, stateDir, ...settings.webhook }
  subscriptions = new TemporarySubscriptions(options)
  let remaining: readonly string[] = []
  try {
    await receiveUntilEnd(context, subscriptions, url, start)
  } catch (error) {
    if (!end.signal.aborted) failure ??= error
  } finally {
    start()
    await receiver.close()
    remaining = await subscriptions.remove()
  }
  if (failure !== undefined) throw failure
  return remaining
}

async function receiveUntilEnd(
  context: ListenContext,
  subscriptions: TemporarySubscriptions,
  url: string,
  onStart: () => void,
): Promise<void> {
  const { events, forwardTo, end, clock, onEvent } = context
  const { signal } = end
  const takenOver = await subscriptions.create(signal)
  onEvent({
    type: 'ready',
    mode: 'port',
    url,
    events,
    ...forwardTo,
    ...(await getSecret(context)),
    ...(takenOver.length === 0 ? {} : { taken_over: takenOver }),
  })
  onStart()
  let fail = (_: unknown): void => {}
  const failed = new Promise<never>((_, reject) => {
    fail = reject
  })
  const renew = async (): Promise<void> => {
    const expired = await subscriptions.renew(signal)
    if (expired.length > 0) onEvent({ type: 'expired', events: expired })
  }
  const onError = (error: unknown): void => {
    if (!isTransient(error)) fail(error)
  }
  const renewal = repeat(renewInterval, renew, { clock, onError })
  renewal.start()
  try {
    if (!signal.aborted) await Promise.race([once(signal, 'abort'), failed])
  } finally {
    await renewal.stop()
  }
}

/** The secret that signs the account's webhooks; relays of other vendors may have none. */
async function getSecret({ client, end }: ListenContext): Promise<{ readonly secret?: string }> {
  try {
    return { secret: await client.subscriptions.getSigningSecret({ signal: end.signal }) }
  } catch (error) {
    if (isRelayError(error, 'not_found') || isRelayError(error, 'not_a_subscription')) return {}
    throw error
  }
}

async function handleWebhook(
  context: ListenContext,
  received: RawWebhook,
  webhook: EventWebhook,
): Promise<WebhookReply> {
  const { client, settings, end, clock } = context
  const canFetch = settings.fetches && getObjectId(webhook) !== null
  const fetched = canFetch
    ? { fetched: await fetchObject(client, webhook, end.signal, clock.sleep) }
    : {}
  return await answerWebhook(context, received, { ...webhook, ...fetched })
}

/** Shows and saves a webhook, and answers it: as the local app does, or with --respond. */
async function answerWebhook(
  { settings, end, delivery, onEvent, saveWebhook }: Omit<ListenContext, 'client'>,
  received: RawWebhook,
  webhook: EventWebhook,
): Promise<WebhookReply> {
  const { headers, body } = webhook
  await saveWebhook(createCopy(received))
  onEvent({ type: 'hit', ...webhook }, { headers, body })
  if (delivery === undefined) {
    end.countEvent(webhook.event)
    return { status: settings.respond }
  }
  const request = createForwardedRequest(received, delivery.target)
  const { status, ok } = await delivery.forward(request, webhook, end.signal)
  if (ok) end.countEvent(webhook.event)
  else if (settings.expected !== undefined) end.end('unexpected')
  return { status: status ?? 502 }
}

function createCopy({ method, url: target, rawHeaders, bytes: body }: RawWebhook): WebhookCopy {
  const fields: [string, string][] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    fields.push([rawHeaders[at] ?? '', rawHeaders[at + 1] ?? ''])
  }
  return { method, target, fields, body }
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

/** Milliseconds that clocks may differ (Standard Webhooks, "Verifying webhook authenticity"). */
const tolerance = 300_000

/**
 * Receives webhooks of subscriptions that are not of this run, without asking a relay, until `hook
 * listen` ends. With --secret, a webhook that is not signed with it gets 401.
 */
export async function receiveWithoutRelay(context: Omit<ListenContext, 'client'>): Promise<void> {
  const { settings, forwardTo, end, clock, onEvent } = context
  const { host, port, secret } = settings
  let failure: unknown
  const receiver = await startWebhookReceiver({
    host,
    port,
    onWebhook: async received => {
      if (end.signal.aborted) return { status: 404 }
      const { method, url, headers, body } = received
      const found =
        secret === undefined
          ? undefined
          : verifyWebhook(received, { secret, tolerance, now: clock.now() })
      if (found !== undefined) {
        const [problem, reason] = found
        onEvent({ type: 'refused', method, url, headers, body, problem, reason }, { headers, body })
        return { status: 401 }
      }
      const event = eventObjects.find(object => `${url}${body}`.includes(object)) ?? 'message'
      const fields = toObjectFields(`${event}.`, findObjectId(received))
      const webhook = { method, url, headers, body, event, ...fields }
      return await answerWebhook(context, received, webhook).catch(error => {
        failure ??= error
        end.end('stopped')
        return { status: 500 }
      })
    },
  })
  try {
    onEvent({ type: 'ready', mode: 'port', url: receiver.url, events: [], ...forwardTo })
    if (!end.signal.aborted) await once(end.signal, 'abort')
  } finally {
    await receiver.close()
  }
  if (failure !== undefined) throw failure
}
