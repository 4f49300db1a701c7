// Pages about webhooks: `subscription-list-page.tsx` (this file) lists and creates subscriptions,
// `subscription-page.tsx` shows one with its deliveries (`delivery-table.tsx`),
// `subscription-edit-page.tsx` changes it, and `subscription-actions.ts` pauses, resumes and
// deletes it, and skips, replays and resends its events. They share the fields of
// `subscription-form.tsx` and the state, waiting events and paths of `subscription-summary.tsx`.
// `masked-url.ts` hides the login in the URL of a receiver.
import { subscriptionCreate } from '../../../contract/subscription-schema.js'
import type { Delivery } from '../../../domain/webhook/delivery.js'
import type { Subscription } from '../../../domain/webhook/subscription.js'
import type { ServerContext } from '../../http/server-context.js'
import { toSubscriptionDraft } from '../../http/subscription-fields.js'
import { Card, Empty } from '../components/card.js'
import { Actions, Button, ButtonLink, Form } from '../components/form.js'
import { Fragment, type Html, h } from '../components/html.js'
import { createPageQueries, Pagination, parseStart } from '../components/pagination.js'
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
import {
  emptySubscription,
  omitEmptyFields,
  parseSubscriptionForm,
  SubscriptionFields,
  type SubscriptionFormInput,
  toHeadersField,
} from './subscription-form.js'
import {
  countWaitingEvents,
  describeDelivery,
  getSubscriptionPath,
  Listener,
  SubscriptionPill,
  subscriptionsPath,
  type WaitingEvents,
} from './subscription-summary.js'

type Context = Pick<ServerContext, 'subscriptions' | 'deliveryLog' | 'events'>

const pageSize = 50

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
  const form = parseSubscriptionForm(request)
  const draft = parseFields(subscriptionCreate, {
    ...omitEmptyFields(form),
    ...toHeadersField(form),
  })
  if ('errors' in draft) return showNewPage(request, form, draft.errors)
  try {
    const created = await subscriptions.create(request.account, toSubscriptionDraft(draft.data))
    return redirectWithSuccess(
      getSubscriptionPath(created.id),
      'The subscription is created. New events will be delivered.',
    )
  } catch (error) {
    return showNewPage(request, form, toFieldErrors(error))
  }
}

function showNewPage(
  { csrf }: PageRequest,
  form: SubscriptionFormInput,
  errors?: FieldErrors,
): PageResult {
  const body = (
    <Card label="New subscription">
      <Form action={subscriptionsPath} csrf={csrf} errors={errors}>
        <SubscriptionFields form={form} errors={errors} isNew />
        <Actions>
          <Button label="Create the subscription" />
          <ButtonLink href={subscriptionsPath} label="Cancel" variant="bare" />
        </Actions>
      </Form>
    </Card>
  )
  const parent = { path: subscriptionsPath, label: 'Subscriptions' }
  const status = errors === undefined ? 200 : 400
  return showPage({ title: 'New subscription', current: subscriptionsPath, parent, body, status })
}

interface SubscriptionRow {
  readonly subscription: Subscription
  readonly waiting: WaitingEvents
  readonly last: Delivery | undefined
}

async function showListPage(request: PageRequest, context: Context): Promise<PageResult> {
  const { account } = request
  const all = await context.subscriptions.list(account)
  const start = parseStart(getQueryField(request, 'start'))
  const rows = await Promise.all(
    all.slice(start, start + pageSize).map(async (subscription): Promise<SubscriptionRow> => {
      const [last] = await context.deliveryLog.list(account, subscription.id, latestOnly)
      return {
        subscription,
        waiting: await countWaitingEvents(context, account, subscription),
        last,
      }
    }),
  )
  const body = (
    <Card label="Subscriptions">
      <SubscriptionTable rows={rows} />
      <Pagination
        label="Pages of subscriptions"
        path={subscriptionsPath}
        {...createPageQueries({ start, pageSize, total: all.length })}
      />
    </Card>
  )
  return showPage({
    title: 'Subscriptions',
    current: subscriptionsPath,
    lead: 'A subscription sends a webhook to your URL for each event, in the order of the events.',
    actions: <NewLink />,
    isLive: true,
    body,
  })
}

function NewLink(): Html {
  const href = `${subscriptionsPath}/new`
  return <ButtonLink href={href} label="New subscription" variant="primary" icon="plus" />
}

const latestOnly = { count: 1, failed: false }

function SubscriptionTable({ rows }: { readonly rows: readonly SubscriptionRow[] }): Html {
  return (
    <Table
      caption="Subscriptions"
      head={['Event', 'URL', 'State', 'Events', 'Waiting', 'Last delivery']}
      rows={rows.map(({ subscription, waiting, last }) => [
        <a href={getSubscriptionPath(subscription.id)}>{subscription.event}</a>,
        <Receiver subscription={subscription} />,
        <SubscriptionPill subscription={subscription} />,
        String(subscription.triggered),
        waiting.first === undefined ? (
          'none'
        ) : (
          <>
            {waiting.count}, since <Time at={waiting.first.at} clock />
          </>
        ),
        last === undefined ? 'none' : <LastDelivery last={last} />,
      ])}
      empty={
        <Empty icon="hook" title="No subscriptions">
          A subscription notifies your program when a message is sent, fails or is received.
        </Empty>
      }
    />
  )
}

function Receiver({
  subscription: { url, listener },
}: Pick<SubscriptionRow, 'subscription'>): Html {
  return (
    <>
      <span class="address">{maskUrl(url)}</span>
      {listener !== undefined && (
        <span class="sub">
          <Listener listener={listener} />
        </span>
      )}
    </>
  )
}

function LastDelivery({ last }: { readonly last: Delivery }): Html {
  return (
    <>
      {describeDelivery(last)}, <Time at={last.at} />
    </>
  )
}
