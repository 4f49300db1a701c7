import { subscriptionCreate } from '../../../contract/subscription-schema.js'
import type { Account } from '../../../domain/account/account.js'
import type { Delivery } from '../../../domain/webhook/delivery.js'
import type { RelayEvent } from '../../../domain/webhook/event.js'
import type { Subscription } from '../../../domain/webhook/subscription.js'
import type { AppParts } from '../../app.js'
import { Button, Form } from '../components/form.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Notice } from '../components/notice.js'
import { Pagination } from '../components/pagination.js'
import { Table } from '../components/table.js'
import { Time } from '../components/time.js'
import { checked, errorsFrom, type FieldErrors } from '../page/field-errors.js'
import { type Answer, done, type Pages, page, queryField, type Visit } from '../page/page.js'
import { maskedUrl } from './masked-url.js'
import { LaneBadge } from './subscription-badge.js'
import {
  emptySubscription,
  SubscriptionFields,
  type SubscriptionTyped,
  subscriptionInput,
  typedSubscription,
} from './subscription-form.js'
import { subscriptionPath, subscriptionsPath } from './subscription-path.js'

type Parts = Pick<AppParts, 'subscriptions' | 'deliveries' | 'events'>

const pageSize = 50
const mostCounted = 100

/** The subscriptions of the account, and a new one. */
export function subscriptionPages(parts: Parts): Pages {
  return {
    [subscriptionsPath]: {
      GET: async visit => await listPage(visit, parts),
      POST: async visit => await create(visit, parts),
    },
    [`${subscriptionsPath}/new`]: { GET: async visit => newPage(visit, emptySubscription) },
  }
}

async function create(visit: Visit, { subscriptions }: Parts): Promise<Answer> {
  const typed = typedSubscription(visit)
  const draft = checked(subscriptionCreate, subscriptionInput(typed))
  if ('errors' in draft) return newPage(visit, typed, draft.errors)
  const { on_exhausted: onExhausted, ...rest } = draft.data
  try {
    const made = await subscriptions.create(visit.account, { ...rest, onExhausted })
    return done(subscriptionPath(made.id), 'The subscription is made: events from now on are told.')
  } catch (error) {
    return newPage(visit, typed, errorsFrom(error))
  }
}

function newPage({ csrf }: Visit, typed: SubscriptionTyped, errors?: FieldErrors): Answer {
  const body = (
    <Form action={subscriptionsPath} csrf={csrf}>
      {errors?.[''] !== undefined && <Notice kind="failed">{errors['']}</Notice>}
      <SubscriptionFields typed={typed} errors={errors} isNew />
      <Button label="Subscribe" /> <a href={subscriptionsPath}>Back to the subscriptions</a>
    </Form>
  )
  const status = errors === undefined ? 200 : 400
  return page({ title: 'A new subscription', current: subscriptionsPath, body, status })
}

/** Events that a subscription has not passed, the first of them, and at most how many are counted. */
export interface Waiting {
  readonly first: RelayEvent | undefined
  readonly count: string
}

/** What waits to be delivered to a subscription. */
export async function waitingFor(
  { events }: Pick<Parts, 'events'>,
  account: Account,
  { cursor, event }: Subscription,
): Promise<Waiting> {
  const found = await events.page(account, { after: cursor, names: [event] }, mostCounted)
  const { length } = found.events
  return {
    first: found.events[0],
    count: length < mostCounted ? String(length) : `${length} or more`,
  }
}

interface Row {
  readonly subscription: Subscription
  readonly waiting: Waiting
  readonly last: Delivery | undefined
}

async function listPage(visit: Visit, parts: Parts): Promise<Answer> {
  const { account } = visit
  const all = await parts.subscriptions.list(account)
  const asked = queryField(visit, 'start')
  const start = /^\d{1,9}$/.test(asked) ? Number(asked) : 0
  const rows = await Promise.all(
    all.slice(start, start + pageSize).map(async (subscription): Promise<Row> => {
      const [last] = await parts.deliveries.list(account, subscription.id, one)
      return { subscription, waiting: await waitingFor(parts, account, subscription), last }
    }),
  )
  const body = (
    <>
      <p>
        A subscription calls an address of yours whenever something happens: every event, in order.
      </p>
      <p>
        <a href={`${subscriptionsPath}/new`}>A new subscription</a>
      </p>
      <List rows={rows} />
      <Pagination
        label="Pages of subscriptions"
        path={subscriptionsPath}
        previous={start > 0 ? { start: String(Math.max(0, start - pageSize)) } : undefined}
        next={start + pageSize < all.length ? { start: String(start + pageSize) } : undefined}
      />
    </>
  )
  return page({ title: 'Subscriptions', current: subscriptionsPath, body })
}

const one = { count: 1, failed: false }

function List({ rows }: { readonly rows: readonly Row[] }): Html {
  return (
    <Table
      caption="Subscriptions"
      head={['Event', 'Address', 'State', 'Fired', 'Waiting', 'Last try']}
      rows={rows.map(({ subscription, waiting, last }) => [
        <a class="number" href={subscriptionPath(subscription.id)}>
          {subscription.event}
        </a>,
        <span class="clip address">{maskedUrl(subscription.url)}</span>,
        <LaneBadge subscription={subscription} />,
        String(subscription.triggered),
        waiting.first === undefined ? (
          'none'
        ) : (
          <>
            {waiting.count}, since <Time at={waiting.first.at} />
          </>
        ),
        last === undefined ? 'none yet' : <LastTry last={last} />,
      ])}
      empty="There is no subscription."
    />
  )
}

function LastTry({ last }: { readonly last: Delivery }): Html {
  return (
    <>
      {resultOf(last)}, <Time at={last.at} />
    </>
  )
}

/** What a try came to, in a few words. */
export function resultOf({ ok, status, dead }: Delivery): string {
  const answer = status === undefined ? '' : ` (${status})`
  const end = dead ? ', given up' : ''
  return `${ok ? 'delivered' : 'failed'}${answer}${end}`
}
