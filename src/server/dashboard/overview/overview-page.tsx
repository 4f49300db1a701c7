// The overview, the first page after sign-in. `showOverview` loads the queue, the phones and the
// statistics and shows: the problems, the first steps of an empty account, tiles with today's
// messages and waiting messages, the phones (`overview-phones.tsx`), and charts by hour and day
// (`overview-charts.tsx`, drawn by `public/charts.js` from the tables below them). Everything
// except the charts is a live section, which the browser reloads after each event
// (`page/live-section.tsx`).
import type { Problem } from '../../../domain/account/problem-list.js'
import { deliveryStates } from '../../../domain/message/delivery-status.js'
import type { QueueDepth } from '../../../domain/message/queue-depth.js'
import { getParam } from '../../http/route.js'
import type { ServerContext } from '../../http/server-context.js'
import type { PhoneView } from '../../services/phones/phone-service.js'
import type { Statistics } from '../../services/statistics-service.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Notice } from '../components/notice.js'
import { formatUtcOffset, readUtcOffset, Time } from '../components/time.js'
import { LiveSection, showLiveSection } from '../page/live-section.js'
import {
  type PageRequest,
  type PageResult,
  type Pages,
  redirectWithSuccess,
  showPage,
} from '../page/page.js'
import { Charts, chartFiles, createFiguresSection } from './overview-charts.js'
import { PhoneTable } from './overview-phones.js'

type Context = Pick<ServerContext, 'messages' | 'phones' | 'problems' | 'statistics' | 'getBaseUrl'>

export function createOverviewPages(context: Context): Pages {
  return {
    '/': { GET: async request => await showOverview(request, context) },
    '/overview/figures': { GET: async request => await showFigures(request, context) },
    '/phones/:name/forget': {
      POST: async ({ account, http }) => {
        const { name } = await context.phones.forget(account, getParam(http, 'name'))
        const text = `The phone ${name} is removed. It appears again when it requests a message.`
        return redirectWithSuccess('/', text)
      },
    },
  }
}

async function showOverview(request: PageRequest, context: Context): Promise<PageResult> {
  const offset = readUtcOffset(request.http)
  const statistics = await context.statistics.get(request.account, offset)
  const base = context.getBaseUrl(request.http)
  const loaded = await loadQueueAndPhones(request, context)
  const state = <CurrentState {...loaded} request={request} statistics={statistics} base={base} />
  const live = { id: 'now', path: '/', children: state }
  if (request.isPartial) return showLiveSection(request, live)
  const body = (
    <>
      <LiveSection {...live} />
      <Charts statistics={statistics} offset={offset} />
    </>
  )
  return showPage({ title: 'Overview', current: '/', body, assets: chartFiles })
}

async function showFigures(request: PageRequest, context: Context): Promise<PageResult> {
  const offset = readUtcOffset(request.http)
  const statistics = await context.statistics.get(request.account, offset)
  const live = createFiguresSection({ statistics, offset })
  if (request.isPartial) return showLiveSection(request, live)
  const title = `Figures (${formatUtcOffset(offset)})`
  return showPage({ title, current: '/', body: <LiveSection {...live} /> })
}

interface QueueAndPhones {
  readonly queue: QueueDepth
  readonly phones: readonly PhoneView[]
  readonly hasMessages: boolean
  readonly problems: readonly Problem[]
}

async function loadQueueAndPhones(
  { account }: PageRequest,
  { messages, phones, problems }: Context,
): Promise<QueueAndPhones> {
  const oldest = { filter: 'all', start: 0, count: 1, order: 'asc' } as const
  const [queue, listed, known, found] = await Promise.all([
    messages.getQueueDepth(account),
    messages.list(account, oldest),
    phones.list(account),
    problems.list(account.id),
  ])
  return {
    queue,
    phones: known,
    hasMessages: listed.length > 0,
    problems: found,
  }
}

interface CurrentStateProps extends QueueAndPhones {
  readonly request: PageRequest
  readonly statistics: Statistics
  readonly base: string
}

function CurrentState(props: CurrentStateProps): Html {
  const { request, queue, phones, hasMessages, base } = props
  const { today } = props.statistics
  return (
    <>
      {props.problems.map(({ message, hint }) => (
        <Notice kind="failed">{`${message} ${hint}`}</Notice>
      ))}
      {(!hasMessages || phones.length === 0) && (
        <FirstSteps base={base} hasMessages={hasMessages} hasPhones={phones.length > 0} />
      )}
      <h2>{`Today (${formatUtcOffset(readUtcOffset(request.http))})`}</h2>
      <Tiles
        items={[
          ['Created', today.created],
          ['Sent', today.sent],
          ['Failed', today.failed],
          ['Blocked', today.blocked],
        ]}
      />
      {hasReceipts(props.statistics) && <DeliveryTiles today={today} />}
      <h2>Waiting</h2>
      <Tiles
        items={[
          ['All waiting', queue.waiting],
          ['Due now', queue.due],
          ['Leased by phones', queue.leased],
        ]}
      />
      <OldestDue at={queue.oldestDueAt} />
      <h2>Phones</h2>
      <PhoneTable phones={phones} due={queue.due} csrf={request.csrf} />
    </>
  )
}

/** Whether a network has reported the delivery of a message in the last days. */
function hasReceipts({ days }: Statistics): boolean {
  return days.some(day => deliveryStates.some(state => day[state] > 0))
}

function DeliveryTiles({ today }: Pick<Statistics, 'today'>): Html {
  return (
    <>
      <h2>Delivery of today's sent messages</h2>
      <Tiles
        items={[
          ['Delivered', today.delivered],
          ['Undelivered', today.undelivered],
          ['Expired', today.expired],
          ['Pending', today.pending],
        ]}
      />
    </>
  )
}

interface FirstStepsProps {
  readonly base: string
  readonly hasMessages: boolean
  readonly hasPhones: boolean
}

function FirstSteps({ base, hasMessages, hasPhones }: FirstStepsProps): Html {
  return (
    <section class="steps" aria-labelledby="first-steps">
      <h2 id="first-steps">First steps</h2>
      <ol>
        {!hasPhones && (
          <li>
            Sign in on the computer of the phone, with <a href="/settings/keys">your keys</a>:
            <pre>{`smsrelay login --url ${base}`}</pre>
            Then start a phone. This one only simulates sending; other drivers are listed by{' '}
            <code>smsrelay phone --help</code>.<pre>smsrelay phone --driver simulate</pre>
          </li>
        )}
        {!hasMessages && (
          <li>
            <a href="/send">Send a message</a>.
          </li>
        )}
      </ol>
    </section>
  )
}

function OldestDue({ at }: { readonly at: number | undefined }): Html {
  if (at === undefined) return <p>No message is due.</p>
  return (
    <p>
      The oldest due message has waited since <Time at={at} />.{' '}
      <a href="/messages?filter=normal&order=asc">Show waiting messages</a>
    </p>
  )
}

function Tiles({ items }: { readonly items: readonly (readonly [string, number])[] }): Html {
  return (
    <dl class="tiles">
      {items.map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value.toLocaleString('en')}</dd>
        </div>
      ))}
    </dl>
  )
}
