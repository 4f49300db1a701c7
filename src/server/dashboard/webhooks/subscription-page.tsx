import type { Delivery } from '../../../domain/webhook/delivery.js'
import type { Subscription } from '../../../domain/webhook/subscription.js'
import { waitsFor } from '../../../domain/webhook/subscription-state.js'
import type { AppParts } from '../../app.js'
import { param } from '../../http/exchange.js'
import { ActionsHead, Sure } from '../components/confirm-button.js'
import { ActionButton, Button, Form } from '../components/form.js'
import { TextField } from '../components/form-fields.js'
import { type Child, Fragment, type Html, h } from '../components/html.js'
import { linkTo, Pagination } from '../components/pagination.js'
import { Facts, Table } from '../components/table.js'
import { Time } from '../components/time.js'
import { Live, livePart } from '../page/live-section.js'
import { type Answer, type Pages, page, queryField, type Visit } from '../page/page.js'
import { maskedUrl } from './masked-url.js'
import { LaneBadge, pauseReasons } from './subscription-badge.js'
import { resultOf, type Waiting, waitingFor } from './subscription-list-page.js'
import { subscriptionPath, subscriptionsPath } from './subscription-path.js'

type Parts = Pick<AppParts, 'subscriptions' | 'deliveries' | 'events'>

const pageSize = 25

/** One subscription with its latest deliveries. */
export function subscriptionDetailPages(parts: Parts): Pages {
  return {
    [`${subscriptionsPath}/:id`]: { GET: async visit => await detailPage(visit, parts) },
  }
}

interface Shown {
  readonly subscription: Subscription
  readonly waiting: Waiting
  readonly deliveries: readonly Delivery[]
  readonly csrf: string
}

async function detailPage(visit: Visit, parts: Parts): Promise<Answer> {
  const { account, csrf } = visit
  const subscription = await parts.subscriptions.get(account, param(visit.request, 'id'))
  const own = subscriptionPath(subscription.id)
  const asked = queryField(visit, 'before')
  const before = /^[\w-]{1,64}$/.test(asked) ? asked : undefined
  const failed = queryField(visit, 'failed') === 'true'
  const wanted = { count: pageSize + 1, before, failed }
  const found = await parts.deliveries.list(account, subscription.id, wanted)
  const deliveries = found.slice(0, pageSize)
  const waiting = await waitingFor(parts, account, subscription)
  const query = { failed: failed ? 'true' : '', before: before ?? '' }
  const live = {
    id: 'subscription',
    path: linkTo(own, query),
    children: <State {...{ subscription, waiting, deliveries, csrf }} />,
  }
  if (visit.partial) return livePart(visit, live)
  const last = found.length > pageSize ? deliveries.at(-1) : undefined
  const body = (
    <>
      <Live {...live} />
      <Pagination
        label="Pages of deliveries"
        path={own}
        previous={before === undefined ? undefined : { ...query, before: '' }}
        previousLabel="Newest"
        next={last === undefined ? undefined : { ...query, before: last.id }}
      />
      <p>
        <a href={linkTo(own, { failed: failed ? '' : 'true' })}>
          {failed ? 'Show every try' : 'Show only what failed'}
        </a>
      </p>
      <Replay subscription={subscription} csrf={csrf} />
      <Removal subscription={subscription} csrf={csrf} />
    </>
  )
  return page({ title: `Subscription to ${subscription.event}`, current: subscriptionsPath, body })
}

function State({ subscription, waiting, deliveries, csrf }: Shown): Html {
  return (
    <>
      <Facts items={factsOf(subscription, waiting)} />
      <Actions subscription={subscription} waiting={waiting} csrf={csrf} />
      <h2>Latest tries</h2>
      <Deliveries subscription={subscription} deliveries={deliveries} csrf={csrf} />
    </>
  )
}

function factsOf(subscription: Subscription, waiting: Waiting): [string, Child][] {
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
    ['State', <LaneState subscription={subscription} more={[why, again]} />],
    ['Address', <code>{maskedUrl(url)}</code>],
    ['Method', `${method}, told ${post ? 'in the body, as JSON' : 'in the query'}`],
    ['After 72 hours', onExhausted === 'pause' ? 'pauses' : 'gives the event up'],
    ['Fired', String(triggered)],
    ['Events waiting', [waiting.count, lag]],
    ['Identifier', <code>{subscription.id}</code>],
  ]
}

function LaneState(props: { subscription: Subscription; more: readonly Child[] }): Html {
  return (
    <>
      <LaneBadge subscription={props.subscription} />
      {props.more}
    </>
  )
}

function Actions({ subscription, waiting, csrf }: Omit<Shown, 'deliveries'>): Html {
  const own = subscriptionPath(subscription.id)
  const { first } = waiting
  const isPaused = subscription.paused !== undefined
  const verb = isPaused ? 'resume' : 'pause'
  return (
    <section class="actions" aria-label="What can be done with it">
      <ActionButton
        action={`${own}/${verb}`}
        csrf={csrf}
        label={isPaused ? 'Resume' : 'Pause'}
        look={isPaused ? 'primary' : 'secondary'}
      />
      {!isPaused && subscription.trying !== undefined && (
        <ActionButton action={`${own}/resume`} csrf={csrf} label="Try now" look="secondary" />
      )}
      {first !== undefined && waitsFor(subscription, first.seq) && (
        <Sure
          action={`${own}/skip`}
          csrf={csrf}
          label="Skip"
          what={`event ${first.seq}`}
          fields={{ sequence: String(first.seq) }}
        />
      )}
      <a href={`${own}/edit`}>Edit</a>
    </section>
  )
}

function Deliveries({ subscription, deliveries, csrf }: Omit<Shown, 'waiting'>): Html {
  return (
    <Table
      caption="Tries to deliver"
      head={['When', 'Event', 'Try', 'Result', 'Took', 'Answer', <ActionsHead />]}
      rows={deliveries.map(each => [
        <Time at={each.at} />,
        String(each.seq),
        each.resend ? 'resent' : String(each.attempt),
        <Result delivery={each} />,
        <span class="number">{`${each.ms} ms`}</span>,
        each.reply === undefined ? '' : <span class="text">{beginning(each.reply)}</span>,
        <ActionButton
          action={`${subscriptionPath(subscription.id)}/resend`}
          csrf={csrf}
          label="Resend"
          title={`Resend event ${each.seq}`}
          look="secondary"
          fields={{ sequence: String(each.seq) }}
        />,
      ])}
      empty="Nothing was tried, or it is not kept any more."
    />
  )
}

function Result({ delivery }: { readonly delivery: Delivery }): Html {
  const said = delivery.error === undefined ? '' : `: ${delivery.error}`
  return (
    <>
      <span class={`badge ${delivery.ok ? 'sent' : 'failed'}`}>{resultOf(delivery)}</span>
      {said}
    </>
  )
}

const longestAnswer = 200

function beginning(reply: string): string {
  return reply.length <= longestAnswer ? reply : `${reply.slice(0, longestAnswer).toWellFormed()}…`
}

function Replay({ subscription, csrf }: { subscription: Subscription; csrf: string }): Html {
  return (
    <details>
      <summary>Deliver again from an event on</summary>
      <Form
        action={`${subscriptionPath(subscription.id)}/replay`}
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
        <Button label="Deliver again" look="secondary" />
      </Form>
    </details>
  )
}

function Removal({ subscription, csrf }: { subscription: Subscription; csrf: string }): Html {
  return (
    <details>
      <summary>Delete the subscription</summary>
      <p>Nothing more is told, and the log of its tries is removed. This cannot be undone.</p>
      <ActionButton
        action={`${subscriptionPath(subscription.id)}/delete`}
        csrf={csrf}
        label="Delete the subscription"
        look="danger"
      />
    </details>
  )
}
