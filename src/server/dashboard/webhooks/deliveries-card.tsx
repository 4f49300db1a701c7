import type { Delivery } from '../../../domain/webhook/delivery.js'
import type { Subscription } from '../../../domain/webhook/subscription.js'
import { Card } from '../components/card.js'
import { ActionButton } from '../components/form.js'
import { Fragment, type Html, h } from '../components/html.js'
import { buildLink, Pagination } from '../components/pagination.js'
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

function toParameters({ failed, before = '' }: DeliveryQuery): Readonly<Record<string, string>> {
  return { failed: failed ? 'true' : '', before }
}

interface DeliveriesCardProps {
  readonly subscription: Subscription
  readonly deliveries: readonly Delivery[]
  readonly query: DeliveryQuery
  /** Identifier of the last delivery on this webhook page, if there are older ones. */
  readonly next: string | undefined
  readonly csrf: string
}

export function DeliveriesCard(props: DeliveriesCardProps): Html {
  const { subscription, deliveries, query, next, csrf } = props
  const { failed, before } = query
  const path = getSubscriptionPath(subscription.id)
  return (
    <Card title="Deliveries" aside={<FailedChoice path={path} failed={failed} />}>
      {deliveries.length === 0 && (
        <p class="none">
          {failed ? 'No delivery in the log has failed.' : 'There are no deliveries in the log.'}
        </p>
      )}
      <div class="tries">
        {deliveries.length > 0 && <Columns />}
        <ul>
          {deliveries.map(delivery => (
            <li>
              <DeliveryDetails {...{ delivery, path, csrf }} />
            </li>
          ))}
        </ul>
      </div>
      <Pagination
        label="Pages of deliveries"
        path={path}
        previous={before === undefined ? undefined : toParameters({ failed, before: undefined })}
        previousLabel="Newest"
        next={next === undefined ? undefined : toParameters({ failed, before: next })}
      />
    </Card>
  )
}

function FailedChoice({ path, failed }: { readonly path: string; failed: boolean }): Html {
  return (
    <nav class="choice" aria-label="Deliveries shown">
      <a href={path} aria-current={failed ? undefined : 'true'}>
        All
      </a>
      <a href={buildLink(path, { failed: 'true' })} aria-current={failed ? 'true' : undefined}>
        Failed
      </a>
    </nav>
  )
}

function Columns(): Html {
  return (
    <div class="cols" aria-hidden="true">
      <span />
      <span>Time</span>
      <span>Event, number</span>
      <span>Attempt</span>
      <span>Reply</span>
      <span class="took">Duration</span>
    </div>
  )
}

interface DeliveryDetailsProps {
  readonly delivery: Delivery
  readonly path: string
  readonly csrf: string
}

function DeliveryDetails({ delivery, path, csrf }: DeliveryDetailsProps): Html {
  const { id, at, seq, event, attempt, resend, ms } = delivery
  return (
    <details id={`d-${id}`}>
      <summary>
        <span class="when quiet small">
          <Time at={at} />
        </span>
        <span class="event clip tabular">{`${event}, ${seq}`}</span>
        <span class="try quiet small">{resend ? 'resent' : `attempt ${attempt}`}</span>
        <span class="answer clip">
          <ResultText delivery={delivery} />
        </span>
        <span class="took quiet small tabular">{`${ms} ms`}</span>
      </summary>
      <div class="inside">
        <ExchangeText delivery={delivery} />
        <div class="acts">
          <ActionButton
            action={`${path}/resend`}
            csrf={csrf}
            label="Resend this event"
            title={`Resend this event, ${seq}`}
            variant="secondary"
            icon="retry"
            fields={{ sequence: String(seq) }}
          />
          <a class="btn bare" href={`/messages/${encodeURIComponent(delivery.message)}`}>
            View message
          </a>
        </div>
      </div>
    </details>
  )
}

function ResultText({ delivery }: { readonly delivery: Delivery }): Html {
  const { ok, status, error } = delivery
  return (
    <>
      <span class={`pill code ${ok ? 'good' : 'bad'}`}>{status ?? 'none'}</span>
      {` ${describeDelivery(delivery)}`}
      {error !== undefined && `: ${error}`}
    </>
  )
}

const maxReplyLength = 200

function ExchangeText({ delivery }: { readonly delivery: Delivery }): Html {
  const { at, ms, error, request = '', reply = '' } = delivery
  return (
    <>
      <p class="small">
        Sent <Time at={at} exact />
        {`, ${ms} ms. `}
        {error}
      </p>
      {request !== '' && (
        <div>
          <p class="label">Request, without secrets</p>
          <pre class="said">{request}</pre>
        </div>
      )}
      {reply !== '' && (
        <div>
          <p class="label">Reply</p>
          <pre class="said">{truncateReply(reply)}</pre>
        </div>
      )}
    </>
  )
}

function truncateReply(reply: string): string {
  if (reply.length <= maxReplyLength) return reply
  return `${reply.slice(0, maxReplyLength).toWellFormed()}…`
}
