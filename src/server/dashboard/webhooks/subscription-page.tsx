import type { Delivery } from '../../../domain/webhook/delivery.js'
import type { Subscription } from '../../../domain/webhook/subscription.js'
import { getNextRetryTime, isWaitingFor } from '../../../domain/webhook/subscription-state.js'
import { getParam } from '../../http/route.js'
import type { ServerContext } from '../../http/server-context.js'
import { ConfirmButton } from '../components/confirm-button.js'
import { ActionButton, Button, Form } from '../components/form.js'
import { TextField } from '../components/form-fields.js'
import { type Child, Fragment, type Html, h } from '../components/html.js'
import { buildLink } from '../components/pagination.js'
import { DetailList } from '../components/table.js'
import { Time } from '../components/time.js'
import { LiveSection, showLiveSection } from '../page/live-section.js'
import { type PageRequest, type PageResult, type Pages, showPage } from '../page/page.js'
import {
  DeliveryLinks,
  DeliveryTable,
  pageSize,
  parseDeliveryQuery,
  toParameters,
} from './delivery-table.js'
import { maskUrl } from './masked-url.js'
import { formatRetrySchedule } from './subscription-form.js'
import {
  countWaitingEvents,
  getSubscriptionPath,
  pauseReasons,
  SubscriptionBadge,
  subscriptionsPath,
  type WaitingEvents,
} from './subscription-summary.js'

type Context = Pick<ServerContext, 'subscriptions' | 'deliveryLog' | 'events'>

export function createSubscriptionDetailPages(context: Context): Pages {
  return {
    [`${subscriptionsPath}/:id`]: {
      GET: async request => await showSubscriptionPage(request, context),
    },
  }
}

async function showSubscriptionPage(request: PageRequest, context: Context): Promise<PageResult> {
  const { account, csrf } = request
  const subscription = await context.subscriptions.get(account, getParam(request.http, 'id'))
  const query = parseDeliveryQuery(request)
  const listed = await context.deliveryLog.list(account, subscription.id, {
    ...query,
    count: pageSize + 1,
  })
  const deliveries = listed.slice(0, pageSize)
  const oldest = listed.length > pageSize ? deliveries.at(-1) : undefined
  const waiting = await countWaitingEvents(context, account, subscription)
  const state = { subscription, waiting, csrf }
  const live = {
    id: 'subscription',
    path: buildLink(getSubscriptionPath(subscription.id), toParameters(query)),
    children: <SubscriptionState {...state} deliveries={deliveries} />,
  }
  if (request.isPartial) return showLiveSection(request, live)
  const body = (
    <>
      <LiveSection {...live} />
      <DeliveryLinks subscription={subscription} query={query} next={oldest?.id} />
      <ReplayForm subscription={subscription} csrf={csrf} />
      <DeleteForm subscription={subscription} csrf={csrf} />
    </>
  )
  const title = `Subscription to ${subscription.event}`
  return showPage({ title, current: subscriptionsPath, body })
}

interface SubscriptionStateProps {
  readonly subscription: Subscription
  readonly waiting: WaitingEvents
  readonly deliveries: readonly Delivery[]
  readonly csrf: string
}

function SubscriptionState(props: SubscriptionStateProps): Html {
  const { subscription, waiting, deliveries, csrf } = props
  return (
    <>
      <DetailList items={listDetails(subscription, waiting)} />
      <SubscriptionActions subscription={subscription} waiting={waiting} csrf={csrf} />
      <h2>Latest deliveries</h2>
      <DeliveryTable subscription={subscription} deliveries={deliveries} csrf={csrf} />
    </>
  )
}

function listDetails(subscription: Subscription, waiting: WaitingEvents): [string, Child][] {
  const { url, method, post, onExhausted = 'pause', window = 1, triggered } = subscription
  const since = waiting.first && (
    <>
      , since <Time at={waiting.first.at} />
    </>
  )
  return [
    ['State', <StateText subscription={subscription} />],
    ['URL', <code>{maskUrl(url)}</code>],
    ['Method', `${method}, event ${post ? 'in the body, as JSON' : 'in the query'}`],
    ['Webhooks in flight', `at most ${window}`],
    ['Retries', formatRetries(subscription)],
    ['After the last retry', onExhausted === 'pause' ? 'pause' : 'skip the event'],
    ['Events', String(triggered)],
    ['Waiting events', [waiting.count, since]],
    ['Signing secret', subscription.hookSecret === undefined ? 'of the account' : 'its own'],
    ['Identifier', <code>{subscription.id}</code>],
  ]
}

function formatRetries(subscription: Subscription): string {
  const delays = formatRetrySchedule(subscription)
  return delays === '' ? 'for 72 hours' : `after ${delays} seconds`
}

function StateText({ subscription }: { readonly subscription: Subscription }): Html {
  const { paused } = subscription
  const retryAt = getNextRetryTime(subscription)
  return (
    <>
      <SubscriptionBadge subscription={subscription} />
      {paused && (
        <>
          : {pauseReasons[paused.reason]}, since <Time at={paused.at} />
        </>
      )}
      {retryAt !== undefined && paused === undefined && (
        <>
          , next attempt at <Time at={retryAt} />
        </>
      )}
    </>
  )
}

function SubscriptionActions(props: Omit<SubscriptionStateProps, 'deliveries'>): Html {
  const { subscription, waiting, csrf } = props
  const path = getSubscriptionPath(subscription.id)
  const { first } = waiting
  const isPaused = subscription.paused !== undefined
  return (
    <section class="actions" aria-label="Actions">
      {isPaused ? (
        <ActionButton action={`${path}/resume`} csrf={csrf} label="Resume" />
      ) : (
        <ActionButton action={`${path}/pause`} csrf={csrf} label="Pause" variant="secondary" />
      )}
      {!isPaused && subscription.trying !== undefined && (
        <ActionButton action={`${path}/resume`} csrf={csrf} label="Try now" variant="secondary" />
      )}
      {first !== undefined && isWaitingFor(subscription, first.seq) && (
        <ConfirmButton
          action={`${path}/skip`}
          csrf={csrf}
          label="Skip"
          target={`event ${first.seq}`}
          fields={{ sequence: String(first.seq) }}
        />
      )}
      <ActionButton
        action={`${path}/test`}
        csrf={csrf}
        label="Send a test webhook"
        variant="secondary"
      />
      <a href={`${path}/edit`}>Edit</a> <a href={`${path}/secret`}>Signing secret</a>
    </section>
  )
}

interface FormProps {
  readonly subscription: Subscription
  readonly csrf: string
}

const replayLabel = 'Deliver events again'

function ReplayForm({ subscription, csrf }: FormProps): Html {
  const { id, cursor } = subscription
  return (
    <details>
      <summary>{replayLabel}</summary>
      <Form action={`${getSubscriptionPath(id)}/replay`} csrf={csrf} label={replayLabel}>
        <TextField
          label="First event"
          name="from"
          inputmode="numeric"
          required
          hint={`Its number. All events from it to ${cursor} are delivered again.`}
        />
        <Button label="Deliver again" variant="secondary" />
      </Form>
    </details>
  )
}

function DeleteForm({ subscription, csrf }: FormProps): Html {
  return (
    <details>
      <summary>Delete the subscription</summary>
      <p>Its deliveries stop, and their log is deleted. This cannot be undone.</p>
      <ActionButton
        action={`${getSubscriptionPath(subscription.id)}/delete`}
        csrf={csrf}
        label="Delete the subscription"
        variant="danger"
      />
    </details>
  )
}
