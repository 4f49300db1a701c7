import type { QueueDepth } from '../../../domain/message/queue-depth.js'
import { getParam } from '../../http/exchange.js'
import type { ServerContext } from '../../http/server-context.js'
import type { PhoneView } from '../../services/phones/phone-service.js'
import type { Statistics } from '../../services/statistics-service.js'
import { Fragment, type Html, h } from '../components/html.js'
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
import { FirstSteps } from './overview-first-steps.js'
import { PhoneTable } from './overview-phones.js'

type Context = Pick<ServerContext, 'messages' | 'phones' | 'statistics' | 'getBaseUrl'>

/** The first page: what happened today and lately, what waits, and which phones are there. */
export function createOverviewPages(context: Context): Pages {
  return {
    '/': { GET: async request => await showOverview(request, context) },
    '/overview/figures': { GET: async request => await showFigures(request, context) },
    '/phones/:name/forget': {
      POST: async ({ account, http }) => {
        const { name } = await context.phones.forget(account, getParam(http, 'name'))
        return redirectWithSuccess(
          '/',
          `The phone ${name} is forgotten; if it asks again, it is known again.`,
        )
      },
    },
  }
}

async function showOverview(request: PageRequest, context: Context): Promise<PageResult> {
  const offset = readUtcOffset(request.http)
  const statistics = await context.statistics.get(request.account, offset)
  const state = {
    request,
    statistics,
    base: context.getBaseUrl(request.http),
    ...(await loadQueueAndPhones(request, context)),
  }
  const live = { id: 'now', path: '/', children: <CurrentState {...state} /> }
  if (request.isPartial) return showLiveSection(request, live)
  const body = (
    <>
      <LiveSection {...live} />
      <Charts statistics={statistics} offset={offset} />
    </>
  )
  return showPage({ title: 'Overview', current: '/', body, assets: chartFiles })
}

async function showFigures(request: PageRequest, { statistics }: Context): Promise<PageResult> {
  const offset = readUtcOffset(request.http)
  const counted = await statistics.get(request.account, offset)
  const live = createFiguresSection({ statistics: counted, offset })
  if (request.isPartial) return showLiveSection(request, live)
  const body = LiveSection(live)
  return showPage({ title: `Figures, by ${formatUtcOffset(offset)}`, current: '/', body })
}

interface QueueAndPhones {
  readonly queue: QueueDepth
  readonly phones: readonly PhoneView[]
  /** Whether the account has no message at all. */
  readonly isEmpty: boolean
}

async function loadQueueAndPhones(
  { account }: PageRequest,
  { messages, phones }: Context,
): Promise<QueueAndPhones> {
  const any = { filter: 'all', start: 0, count: 1, order: 'asc' } as const
  const [queue, some] = await Promise.all([
    messages.getQueueDepth(account),
    messages.list(account, any),
  ])
  return { queue, phones: phones.list(account), isEmpty: some.length === 0 }
}

interface CurrentStateProps extends QueueAndPhones {
  readonly request: PageRequest
  readonly statistics: Statistics
  readonly base: string
}

function CurrentState({
  request,
  statistics: { today },
  base,
  queue,
  phones,
  isEmpty,
}: CurrentStateProps): Html {
  return (
    <>
      {(isEmpty || phones.length === 0) && (
        <FirstSteps base={base} hasMessages={!isEmpty} hasPhones={phones.length > 0} />
      )}
      <h2>{`Today, by ${formatUtcOffset(readUtcOffset(request.http))}`}</h2>
      <Tiles
        items={[
          ['Created', today.created],
          ['Sent', today.sent],
          ['Failed', today.failed],
          ['Blocked', today.blocked],
        ]}
      />
      <h2>Waiting</h2>
      <Tiles
        items={[
          ['Waiting in all', queue.waiting],
          ['Due now', queue.due],
          ['In the hands of phones', queue.leased],
        ]}
      />
      <p>
        {queue.oldestDueAt === undefined ? (
          'Nothing is due that no phone has.'
        ) : (
          <>
            The oldest message that is due has waited since <Time at={queue.oldestDueAt} />.{' '}
            <a href="/messages?filter=normal&order=asc">See what waits</a>
          </>
        )}
      </p>
      <h2>Phones</h2>
      <PhoneTable phones={phones} due={queue.due} csrf={request.csrf} />
    </>
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
