import { subscriptionCreate } from '../../../contract/subscription-schema.js'
import type { Account } from '../../../domain/account/account.js'
import type { Delivery } from '../../../domain/webhook/delivery.js'
import type { RelayEvent } from '../../../domain/webhook/event.js'
import type { Subscription } from '../../../domain/webhook/subscription.js'
import type { ServerContext } from '../../http/server-context.js'
import { Button, Form } from '../components/form.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Notice } from '../components/notice.js'
import { Pagination } from '../components/pagination.js'
import { Table } from '../components/table.js'
import { Time } from '../components/time.js'
import { type FieldErrors, parseFields, toFieldErrors } from '../page/field-errors.js'
import {
  getQueryField,
  type PageRequest,
  type PageResult,
  type Pages,
  redirectWithSuccess,
  showPage,
} from '../page/page.js'
import { maskUrl } from './masked-url.js'
import { SubscriptionBadge } from './subscription-badge.js'
import {
  emptySubscription,
  omitEmptyFields,
  parseSubscriptionForm,
  SubscriptionFields,
  type SubscriptionFormInput,
} from './subscription-form.js'
import { getSubscriptionPath, subscriptionsPath } from './subscription-path.js'

type Context = Pick<ServerContext, 'subscriptions' | 'deliveries' | 'events'>

const pageSize = 50
const maxCounted = 100

/** The subscriptions of the account, and a new one. */
export function createSubscriptionListPages(context: Context): Pages {
  return {
    [subscriptionsPath]: {
      GET: async request => await showListPage(request, context),
      POST: async request => await createSubscription(request, context),
    },
    [`${subscriptionsPath}/new`]: { GET: async request => showNewPage(request, emptySubscription) },
  }
}

async function createSubscription(
  request: PageRequest,
  { subscriptions }: Context,
): Promise<PageResult> {
  const typed = parseSubscriptionForm(request)
  const draft = parseFields(subscriptionCreate, omitEmptyFields(typed))
  if ('errors' in draft) return showNewPage(request, typed, draft.errors)
  const { on_exhausted: onExhausted, ...rest } = draft.data
  try {
    const made = await subscriptions.create(request.account, { ...rest, onExhausted })
    return redirectWithSuccess(
      getSubscriptionPath(made.id),
      'The subscription is made: events from now on are told.',
    )
  } catch (error) {
    return showNewPage(request, typed, toFieldErrors(error))
  }
}

function showNewPage(
  { csrf }: PageRequest,
  typed: SubscriptionFormInput,
  errors?: FieldErrors,
): PageResult {
  const body = (
    <Form action={subscriptionsPath} csrf={csrf}>
      {errors?.[''] !== undefined && <Notice kind="failed">{errors['']}</Notice>}
      <SubscriptionFields typed={typed} errors={errors} isNew />
      <Button label="Subscribe" /> <a href={subscriptionsPath}>Back to the subscriptions</a>
    </Form>
  )
  const status = errors === undefined ? 200 : 400
  return showPage({ title: 'A new subscription', current: subscriptionsPath, body, status })
}

/** Events that a subscription has not passed, the first of them, and at most how many are counted. */
export interface WaitingEvents {
  readonly first: RelayEvent | undefined
  readonly count: string
}

/** What waits to be delivered to a subscription. */
export async function countWaitingEvents(
  { events }: Pick<Context, 'events'>,
  account: Account,
  { cursor, event }: Subscription,
): Promise<WaitingEvents> {
  const found = await events.readPage(account, { after: cursor, names: [event] }, maxCounted)
  const { length } = found.events
  return {
    first: found.events[0],
    count: length < maxCounted ? String(length) : `${length} or more`,
  }
}

interface SubscriptionRow {
  readonly subscription: Subscription
  readonly waiting: WaitingEvents
  readonly last: Delivery | undefined
}

async function showListPage(request: PageRequest, context: Context): Promise<PageResult> {
  const { account } = request
  const all = await context.subscriptions.list(account)
  const asked = getQueryField(request, 'start')
  const start = /^\d{1,9}$/.test(asked) ? Number(asked) : 0
  const rows = await Promise.all(
    all.slice(start, start + pageSize).map(async (subscription): Promise<SubscriptionRow> => {
      const [last] = await context.deliveries.list(account, subscription.id, latestOnly)
      return {
        subscription,
        waiting: await countWaitingEvents(context, account, subscription),
        last,
      }
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
      <SubscriptionTable rows={rows} />
      <Pagination
        label="Pages of subscriptions"
        path={subscriptionsPath}
        previous={start > 0 ? { start: String(Math.max(0, start - pageSize)) } : undefined}
        next={start + pageSize < all.length ? { start: String(start + pageSize) } : undefined}
      />
    </>
  )
  return showPage({ title: 'Subscriptions', current: subscriptionsPath, body })
}

const latestOnly = { count: 1, failed: false }

function SubscriptionTable({ rows }: { readonly rows: readonly SubscriptionRow[] }): Html {
  return (
    <Table
      caption="Subscriptions"
      head={['Event', 'Address', 'State', 'Fired', 'Waiting', 'Last try']}
      rows={rows.map(({ subscription, waiting, last }) => [
        <a class="number" href={getSubscriptionPath(subscription.id)}>
          {subscription.event}
        </a>,
        <span class="clip address">{maskUrl(subscription.url)}</span>,
        <SubscriptionBadge subscription={subscription} />,
        String(subscription.triggered),
        waiting.first === undefined ? (
          'none'
        ) : (
          <>
            {waiting.count}, since <Time at={waiting.first.at} />
          </>
        ),
        last === undefined ? 'none yet' : <LastAttempt last={last} />,
      ])}
      empty="There is no subscription."
    />
  )
}

function LastAttempt({ last }: { readonly last: Delivery }): Html {
  return (
    <>
      {describeDelivery(last)}, <Time at={last.at} />
    </>
  )
}

/** What a try came to, in a few words. */
export function describeDelivery({ ok, status, dead }: Delivery): string {
  const answer = status === undefined ? '' : ` (${status})`
  const end = dead ? ', given up' : ''
  return `${ok ? 'delivered' : 'failed'}${answer}${end}`
}
