import type { Delivery } from '../../../domain/webhook/delivery.js'
import type { Subscription } from '../../../domain/webhook/subscription.js'
import { ActionsHeader } from '../components/confirm-button.js'
import { ActionButton } from '../components/form.js'
import { Fragment, type Html, h } from '../components/html.js'
import { buildLink, Pagination } from '../components/pagination.js'
import { Table } from '../components/table.js'
import { Time } from '../components/time.js'
import { getQueryField, type PageRequest } from '../page/page.js'
import { describeDelivery, getSubscriptionPath } from './subscription-summary.js'

export const pageSize = 25

export interface DeliveryQuery {
  readonly failed: boolean
  /** Identifier of a delivery; the webhook page shows older ones. */
  readonly before: string | undefined
}

export function parseDeliveryQuery(request: PageRequest): DeliveryQuery {
  const before = getQueryField(request, 'before')
  return {
    failed: getQueryField(request, 'failed') === 'true',
    before: /^[\w-]{1,64}$/.test(before) ? before : undefined,
  }
}

export function toParameters({
  failed,
  before = '',
}: DeliveryQuery): Readonly<Record<string, string>> {
  return { failed: failed ? 'true' : '', before }
}

export function DeliveryLinks(props: {
  readonly subscription: Subscription
  readonly query: DeliveryQuery
  readonly next: string | undefined
}): Html {
  const { subscription, query, next } = props
  const { failed, before } = query
  const path = getSubscriptionPath(subscription.id)
  const newest = toParameters({ failed, before: undefined })
  return (
    <>
      <Pagination
        label="Pages of deliveries"
        path={path}
        previous={before === undefined ? undefined : newest}
        previousLabel="Newest"
        next={next === undefined ? undefined : toParameters({ failed, before: next })}
      />
      <p>
        <a href={buildLink(path, { failed: failed ? '' : 'true' })}>
          {failed ? 'Show all deliveries' : 'Show only failed deliveries'}
        </a>
      </p>
    </>
  )
}

export function DeliveryTable(props: {
  readonly subscription: Subscription
  readonly deliveries: readonly Delivery[]
  readonly csrf: string
}): Html {
  const { subscription, deliveries, csrf } = props
  return (
    <Table
      caption="Deliveries"
      head={['Time', 'Event', 'Attempt', 'Result', 'Duration', 'Reply', <ActionsHeader />]}
      rows={deliveries.map(delivery => [
        <Time at={delivery.at} />,
        String(delivery.seq),
        delivery.resend ? 'resent' : String(delivery.attempt),
        <DeliveryResultText delivery={delivery} />,
        <span class="number">{`${delivery.ms} ms`}</span>,
        <span class="text">{truncateReply(delivery.reply ?? '')}</span>,
        <ActionButton
          action={`${getSubscriptionPath(subscription.id)}/resend`}
          csrf={csrf}
          label="Resend"
          title={`Resend event ${delivery.seq}`}
          variant="secondary"
          fields={{ sequence: String(delivery.seq) }}
        />,
      ])}
      empty="There are no deliveries in the log."
    />
  )
}

function DeliveryResultText({ delivery }: { readonly delivery: Delivery }): Html {
  return (
    <>
      <span class={`badge ${delivery.ok ? 'sent' : 'failed'}`}>{describeDelivery(delivery)}</span>
      {delivery.error !== undefined && `: ${delivery.error}`}
    </>
  )
}

const maxReplyLength = 200

function truncateReply(reply: string): string {
  if (reply.length <= maxReplyLength) return reply
  return `${reply.slice(0, maxReplyLength).toWellFormed()}…`
}
