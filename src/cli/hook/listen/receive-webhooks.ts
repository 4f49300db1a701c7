import { once } from 'node:events'
import { toObjectFields } from '../../../contract/event-schema.js'
import { eventObjects } from '../../../domain/webhook/event.js'
import { startWebhookReceiver } from '../webhook-receiver.js'
import type { ListenContext } from './listen-context.js'
import { answerWebhook } from './listen-to-webhooks.js'
import { findObjectId } from './temporary-subscriptions.js'
import { verifyWebhook } from './verify-webhook.js'

/** Milliseconds that clocks may differ (Standard Webhooks, "Verifying webhook authenticity"). */
const tolerance = 300_000

/**
 * Receives webhooks of subscriptions that are not of this run, without asking a relay, until `hook
 * listen` ends. With --secret, a webhook that is not signed with it gets 401.
 */
export async function receiveWebhooks(context: Omit<ListenContext, 'client'>): Promise<void> {
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
