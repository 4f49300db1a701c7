import type { Subscription } from '../../../domain/webhook/subscription.js'
import { getNextRetryTime, isWaitingFor } from '../../../domain/webhook/subscription-state.js'
import { getParam } from '../../http/route.js'
import type { ServerContext } from '../../http/server-context.js'
import { Card, CardBody } from '../components/card.js'
import { ConfirmButton } from '../components/confirm-button.js'
import {
  ActionButton,
  Actions,
  Button,
  ButtonLink,
  type ButtonVariant,
  Form,
} from '../components/form.js'
import { TextField } from '../components/form-fields.js'
import { type Child, Fragment, type Html, h } from '../components/html.js'
import type { IconName } from '../components/icons.js'
import { Notice } from '../components/notice.js'
import { Facts } from '../components/table.js'
import { NextAttempt, Time } from '../components/time.js'
import { type PageRequest, type PageResult, type Pages, showPage } from '../page/page.js'
import { DeliveriesCard, pageSize, parseDeliveryQuery } from './deliveries-card.js'
import { loadHealthCard } from './health-card.js'
import { maskUrl } from './masked-url.js'
import { formatRetries } from './subscription-form.js'
import {
  countWaitingEvents,
  getSubscriptionPath,
  getSubscriptionTitle,
  Listener,
  pauseReasons,
  SubscriptionPill,
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
  const { account, csrf, now } = request
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
  const body = (
    <>
      <StateNotice {...state} now={now} />
      <div class="columns">
        <div>
          {await loadHealthCard(request, context, { subscription, waiting })}
          <DeliveriesCard {...{ subscription, deliveries, query, csrf }} next={oldest?.id} />
        </div>
        <div>
          <SettingsCard {...state} />
          <MoreActions subscription={subscription} csrf={csrf} />
        </div>
      </div>
    </>
  )
  return showPage({
    title: getSubscriptionTitle(subscription),
    current: subscriptionsPath,
    parent: { path: subscriptionsPath, label: 'Subscriptions' },
    state: <SubscriptionPill subscription={subscription} />,
    actions: <SubscriptionActions {...state} />,
    isLive: true,
    body,
  })
}

interface SubscriptionStateProps {
  readonly subscription: Subscription
  readonly waiting: WaitingEvents
  readonly csrf: string
}

function SettingsCard({ subscription, waiting }: SubscriptionStateProps): Html {
  const edit = <a href={`${getSubscriptionPath(subscription.id)}/edit`}>Edit</a>
  return (
    <Card title="Settings" aside={edit}>
      <CardBody>
        <Facts items={listDetails(subscription, waiting)} />
      </CardBody>
    </Card>
  )
}

/** Says first why webhooks are not delivered, and what to do. */
function StateNotice(props: SubscriptionStateProps & { readonly now: number }): Html | null {
  const { subscription, waiting, csrf, now } = props
  const { paused, trying } = subscription
  const retryAt = getNextRetryTime(subscription)
  if (paused === undefined && trying === undefined) return null
  const skip = <SkipButton subscription={subscription} waiting={waiting} csrf={csrf} />
  const [verb, noun] = waiting.count === '1' ? ['is', 'event'] : ['are', 'events']
  const count = `There ${verb} ${waiting.count} waiting ${noun}`
  if (paused !== undefined)
    return (
      <Notice
        kind={paused.reason === 'request' ? 'warning' : 'failed'}
        icon="pause"
        title={`Paused: ${pauseReasons[paused.reason]}`}
        actions={skip}
      >
        {'Since '}
        <Time at={paused.at} clock />
        {`. ${count}, kept until you resume. Check the receiver and send a test, then `}
        resume. The waiting events are delivered in order.
      </Notice>
    )
  return (
    <Notice kind="warning" icon="retry" title="A delivery failed and is repeated" actions={skip}>
      {retryAt !== undefined && (
        <>
          <NextAttempt at={retryAt} now={now} />{' '}
        </>
      )}
      {`${count}. The latest deliveries show the reason.`}
    </Notice>
  )
}

function listDetails(subscription: Subscription, waiting: WaitingEvents): [string, Child][] {
  const { url, method, post, onExhausted = 'pause', window = 1, triggered, listener } = subscription
  const since = waiting.first && (
    <>
      , since <Time at={waiting.first.at} clock />
    </>
  )
  const owner: [string, Child][] =
    listener === undefined ? [] : [['Belongs to', <Listener listener={listener} />]]
  return [
    ['Event', <code>{subscription.event}</code>],
    ['URL', <code>{maskUrl(url)}</code>],
    ...owner,
    ['Method', `${method}, event ${post ? 'in the body, as JSON' : 'in the query'}`],
    ['Header fields', Object.keys(subscription.headers ?? {}).join(', ') || 'none'],
    ['Webhooks in flight', `at most ${window}`],
    ['Retries', formatRetries(subscription)],
    ['After the last retry', onExhausted === 'pause' ? 'pause' : 'skip the event'],
    ['Events', String(triggered)],
    ['Waiting events', [waiting.count, since]],
    ['Signing secret', <SecretLink subscription={subscription} />],
    ['ID', <code>{subscription.id}</code>],
  ]
}

function SecretLink({ subscription }: { readonly subscription: Subscription }): Html {
  const isOwn = subscription.hookSecret !== undefined
  return (
    <>
      {isOwn ? 'its own' : 'of the account'},{' '}
      <a href={`${getSubscriptionPath(subscription.id)}/secret`}>show or replace</a>
    </>
  )
}

function SubscriptionActions({ subscription, csrf }: SubscriptionStateProps): Html {
  const path = getSubscriptionPath(subscription.id)
  const isPaused = subscription.paused !== undefined
  const button = (action: string, label: string, icon: IconName, variant: ButtonVariant) => (
    <ActionButton action={`${path}/${action}`} {...{ csrf, label, icon, variant }} />
  )
  return (
    <>
      {isPaused
        ? button('resume', 'Resume', 'play', 'primary')
        : button('pause', 'Pause', 'pause', 'secondary')}
      {!isPaused &&
        subscription.trying !== undefined &&
        button('resume', 'Try now', 'retry', 'secondary')}
      {button('test', 'Send a test', 'test', 'secondary')}
      <ButtonLink href={`${path}/edit`} label="Edit" icon="edit" />
    </>
  )
}

function SkipButton({ subscription, waiting, csrf }: SubscriptionStateProps): Html | null {
  const { first } = waiting
  if (first === undefined || !isWaitingFor(subscription, first.seq)) return null
  return (
    <ConfirmButton
      action={`${getSubscriptionPath(subscription.id)}/skip`}
      csrf={csrf}
      label={`Skip event ${first.seq}`}
      target="of this subscription"
      fields={{ sequence: String(first.seq) }}
    />
  )
}

interface FormProps {
  readonly subscription: Subscription
  readonly csrf: string
}

const replayLabel = 'Deliver events again'

function MoreActions({ subscription, csrf }: FormProps): Html {
  const { id, cursor } = subscription
  const path = getSubscriptionPath(id)
  return (
    <Card title="More actions">
      <CardBody>
        <details class="disclosure" id="replay">
          <summary>{replayLabel}</summary>
          <Form action={`${path}/replay`} csrf={csrf} label={replayLabel} class="form">
            <TextField
              label="From event"
              name="from"
              inputmode="numeric"
              required
              hint={`Its number. All events from it to ${cursor} are delivered again.`}
            />
            <Actions>
              <Button label="Deliver again" variant="secondary" />
            </Actions>
          </Form>
        </details>
        <details class="disclosure" id="delete">
          <summary>Delete the subscription</summary>
          <p class="soft small">
            Its deliveries stop, and their log is deleted. This cannot be undone.
          </p>
          <ActionButton
            action={`${path}/delete`}
            csrf={csrf}
            label="Delete the subscription"
            variant="sure"
          />
        </details>
      </CardBody>
    </Card>
  )
}
