import type { Delivery } from '../../../domain/webhook/delivery.js'
import type { Subscription } from '../../../domain/webhook/subscription.js'
import { isWaitingFor } from '../../../domain/webhook/subscription-state.js'
import { getParam } from '../../http/exchange.js'
import type { ServerContext } from '../../http/server-context.js'
import { ActionsHeader, ConfirmButton } from '../components/confirm-button.js'
import { ActionButton, Button, Form } from '../components/form.js'
import { TextField } from '../components/form-fields.js'
import { type Child, Fragment, type Html, h } from '../components/html.js'
import { buildLink, Pagination } from '../components/pagination.js'
import { DetailList, Table } from '../components/table.js'
import { Time } from '../components/time.js'
import { LiveSection, showLiveSection } from '../page/live-section.js'
import {
  getQueryField,
  type PageRequest,
  type PageResult,
  type Pages,
  showPage,
} from '../page/page.js'
import { maskUrl } from './masked-url.js'
import { pauseReasons, SubscriptionBadge } from './subscription-badge.js'
import {
  countWaitingEvents,
  describeDelivery,
  type WaitingEvents,
} from './subscription-list-page.js'
import { getSubscriptionPath, subscriptionsPath } from './subscription-path.js'

type Context = Pick<ServerContext, 'subscriptions' | 'deliveries' | 'events'>

const pageSize = 25

/** One subscription with its latest deliveries. */
export function createSubscriptionDetailPages(context: Context): Pages {
  return {
    [`${subscriptionsPath}/:id`]: {
      GET: async request => await showSubscriptionPage(request, context),
    },
  }
}

interface SubscriptionDetailProps {
  readonly subscription: Subscription
  readonly waiting: WaitingEvents
  readonly deliveries: readonly Delivery[]
  readonly csrf: string
}

async function showSubscriptionPage(request: PageRequest, context: Context): Promise<PageResult> {
  const { account, csrf } = request
  const subscription = await context.subscriptions.get(account, getParam(request.http, 'id'))
  const own = getSubscriptionPath(subscription.id)
  const asked = getQueryField(request, 'before')
  const before = /^[\w-]{1,64}$/.test(asked) ? asked : undefined
  const failed = getQueryField(request, 'failed') === 'true'
  const wanted = { count: pageSize + 1, before, failed }
  const found = await context.deliveries.list(account, subscription.id, wanted)
  const deliveries = found.slice(0, pageSize)
  const waiting = await countWaitingEvents(context, account, subscription)
  const query = { failed: failed ? 'true' : '', before: before ?? '' }
  const live = {
    id: 'subscription',
    path: buildLink(own, query),
    children: <SubscriptionDetail {...{ subscription, waiting, deliveries, csrf }} />,
  }
  if (request.isPartial) return showLiveSection(request, live)
  const last = found.length > pageSize ? deliveries.at(-1) : undefined
  const body = (
    <>
      <LiveSection {...live} />
      <Pagination
        label="Pages of deliveries"
        path={own}
        previous={before === undefined ? undefined : { ...query, before: '' }}
        previousLabel="Newest"
        next={last === undefined ? undefined : { ...query, before: last.id }}
      />
      <p>
        <a href={buildLink(own, { failed: failed ? '' : 'true' })}>
          {failed ? 'Show every try' : 'Show only what failed'}
        </a>
      </p>
      <ReplayForm subscription={subscription} csrf={csrf} />
      <DeleteForm subscription={subscription} csrf={csrf} />
    </>
  )
  return showPage({
    title: `Subscription to ${subscription.event}`,
    current: subscriptionsPath,
    body,
  })
}

function SubscriptionDetail({
  subscription,
  waiting,
  deliveries,
  csrf,
}: SubscriptionDetailProps): Html {
  return (
    <>
      <DetailList items={listDetails(subscription, waiting)} />
      <SubscriptionActions subscription={subscription} waiting={waiting} csrf={csrf} />
      <h2>Latest tries</h2>
      <DeliveryTable subscription={subscription} deliveries={deliveries} csrf={csrf} />
    </>
  )
}

function listDetails(subscription: Subscription, waiting: WaitingEvents): [string, Child][] {
  const { url, method, post, onExhausted = 'pause', paused, trying, triggered } = subscription
  const why = paused && (
    <>
      : {pauseReasons[paused.reason]}, since <Time at={paused.at} />
    </>
  )
  const again = trying && paused === undefined && (
    <>
      {' '}
      to try again at <Time at={trying.retryAt} />
    </>
  )
  const lag = waiting.first && (
    <>
      , since <Time at={waiting.first.at} />
    </>
  )
  return [
    ['State', <SubscriptionStateText subscription={subscription} more={[why, again]} />],
    ['Address', <code>{maskUrl(url)}</code>],
    ['Method', `${method}, told ${post ? 'in the body, as JSON' : 'in the query'}`],
    ['After 72 hours', onExhausted === 'pause' ? 'pauses' : 'gives the event up'],
    ['Fired', String(triggered)],
    ['Events waiting', [waiting.count, lag]],
    ['Identifier', <code>{subscription.id}</code>],
  ]
}

function SubscriptionStateText(props: {
  subscription: Subscription
  more: readonly Child[]
}): Html {
  return (
    <>
      <SubscriptionBadge subscription={props.subscription} />
      {props.more}
    </>
  )
}

function SubscriptionActions({
  subscription,
  waiting,
  csrf,
}: Omit<SubscriptionDetailProps, 'deliveries'>): Html {
  const own = getSubscriptionPath(subscription.id)
  const { first } = waiting
  const isPaused = subscription.paused !== undefined
  const verb = isPaused ? 'resume' : 'pause'
  return (
    <section class="actions" aria-label="What can be done with it">
      <ActionButton
        action={`${own}/${verb}`}
        csrf={csrf}
        label={isPaused ? 'Resume' : 'Pause'}
        variant={isPaused ? 'primary' : 'secondary'}
      />
      {!isPaused && subscription.trying !== undefined && (
        <ActionButton action={`${own}/resume`} csrf={csrf} label="Try now" variant="secondary" />
      )}
      {first !== undefined && isWaitingFor(subscription, first.seq) && (
        <ConfirmButton
          action={`${own}/skip`}
          csrf={csrf}
          label="Skip"
          target={`event ${first.seq}`}
          fields={{ sequence: String(first.seq) }}
        />
      )}
      <a href={`${own}/edit`}>Edit</a>
    </section>
  )
}

function DeliveryTable({
  subscription,
  deliveries,
  csrf,
}: Omit<SubscriptionDetailProps, 'waiting'>): Html {
  return (
    <Table
      caption="Tries to deliver"
      head={['When', 'Event', 'Try', 'Result', 'Took', 'Answer', <ActionsHeader />]}
      rows={deliveries.map(each => [
        <Time at={each.at} />,
        String(each.seq),
        each.resend ? 'resent' : String(each.attempt),
        <DeliveryResultText delivery={each} />,
        <span class="number">{`${each.ms} ms`}</span>,
        each.reply === undefined ? '' : <span class="text">{truncateReply(each.reply)}</span>,
        <ActionButton
          action={`${getSubscriptionPath(subscription.id)}/resend`}
          csrf={csrf}
          label="Resend"
          title={`Resend event ${each.seq}`}
          variant="secondary"
          fields={{ sequence: String(each.seq) }}
        />,
      ])}
      empty="Nothing was tried, or it is not kept any more."
    />
  )
}

function DeliveryResultText({ delivery }: { readonly delivery: Delivery }): Html {
  const said = delivery.error === undefined ? '' : `: ${delivery.error}`
  return (
    <>
      <span class={`badge ${delivery.ok ? 'sent' : 'failed'}`}>{describeDelivery(delivery)}</span>
      {said}
    </>
  )
}

const maxReplyLength = 200

function truncateReply(reply: string): string {
  return reply.length <= maxReplyLength
    ? reply
    : `${reply.slice(0, maxReplyLength).toWellFormed()}…`
}

function ReplayForm({ subscription, csrf }: { subscription: Subscription; csrf: string }): Html {
  return (
    <details>
      <summary>Deliver again from an event on</summary>
      <Form
        action={`${getSubscriptionPath(subscription.id)}/replay`}
        csrf={csrf}
        label="Deliver again from an event on"
      >
        <TextField
          label="First event"
          name="from"
          inputmode="numeric"
          required
          hint={`Its number; all of them up to ${subscription.cursor} are told once more.`}
        />
        <Button label="Deliver again" variant="secondary" />
      </Form>
    </details>
  )
}

function DeleteForm({ subscription, csrf }: { subscription: Subscription; csrf: string }): Html {
  return (
    <details>
      <summary>Delete the subscription</summary>
      <p>Nothing more is told, and the log of its tries is removed. This cannot be undone.</p>
      <ActionButton
        action={`${getSubscriptionPath(subscription.id)}/delete`}
        csrf={csrf}
        label="Delete the subscription"
        variant="danger"
      />
    </details>
  )
}
