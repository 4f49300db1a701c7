import { createWebhookRequest } from '../../../contract/webhook/webhook-request.js'
import type { Delivery } from '../../../domain/webhook/delivery.js'
import type { Subscription } from '../../../domain/webhook/subscription.js'
import { type Html, h } from '../components/html.js'
import { maskUrl } from './masked-url.js'

/** Header fields that hold a secret, or that a delivery does not record. */
const hidden = new Set(['Authorization', 'User-Agent', 'X-Hook-From', 'webhook-previous'])
const maxLength = 2048

/**
 * The request of a delivery, without secrets, as the present settings of the subscription make it:
 * the log records only its event.
 */
export function DeliveryRequest(props: {
  readonly subscription: Subscription
  readonly delivery: Delivery
}): Html | null {
  const { subscription, delivery } = props
  if (!URL.canParse(subscription.url)) return null
  const { method, headers, body } = createWebhookRequest(delivery, subscription, {
    previous: 0,
    from: '',
    secrets: [],
    timestamp: Math.floor(delivery.at / 1000),
  })
  const fields = Object.entries(headers).filter(([name]) => !hidden.has(name))
  const lines = fields.map(([name, value]) => `${name}: ${value}`)
  const path = subscription.post ? '' : ' (with the event in the query)'
  const text = [`${method} ${maskUrl(subscription.url)}${path}`, ...lines, '', body].join('\n')
  return (
    <div>
      <p class="label">Request, by the present settings, without secrets</p>
      <pre class="said">{text.trim().slice(0, maxLength)}</pre>
    </div>
  )
}
