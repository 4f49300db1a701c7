import type { QueueDepth } from '../../../domain/message/queue-depth.js'
import { getParam } from '../../http/exchange.js'
import type { ServerContext } from '../../http/server-context.js'
import type { PhoneView } from '../../services/phones/phone-service.js'
import type { Statistics } from '../../services/statistics-service.js'
import { formatUtcOffset, readUtcOffset } from '../components/clock.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Time } from '../components/time.js'
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
export function createOverviewPages(parts: Context): Pages {
  return {
    '/': { GET: async visit => await showOverview(visit, parts) },
    '/overview/figures': { GET: async visit => await showFigures(visit, parts) },
    '/phones/:name/forget': {
      POST: async ({ account, request }) => {
        const { name } = await parts.phones.forget(account, getParam(request, 'name'))
        return redirectWithSuccess(
          '/',
          `The phone ${name} is forgotten; if it asks again, it is known again.`,
        )
      },
    },
  }
}

async function showOverview(visit: PageRequest, parts: Context): Promise<PageResult> {
  const offset = readUtcOffset(visit.request)
  const statistics = await parts.statistics.get(visit.account, offset)
  const state = {
    visit,
    statistics,
    base: parts.getBaseUrl(visit.request),
    ...(await loadQueueAndPhones(visit, parts)),
  }
  const live = { id: 'now', path: '/', children: <CurrentState {...state} /> }
  if (visit.isPartial) return showLiveSection(visit, live)
  const body = (
    <>
      <LiveSection {...live} />
      <Charts statistics={statistics} offset={offset} />
    </>
  )
  return showPage({ title: 'Overview', current: '/', body, assets: chartFiles })
}

async function showFigures(visit: PageRequest, { statistics }: Context): Promise<PageResult> {
  const offset = readUtcOffset(visit.request)
  const counted = await statistics.get(visit.account, offset)
  const live = createFiguresSection({ statistics: counted, offset })
  if (visit.isPartial) return showLiveSection(visit, live)
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
  readonly visit: PageRequest
  readonly statistics: Statistics
  readonly base: string
}

function CurrentState({
  visit,
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
      <h2>{`Today, by ${formatUtcOffset(readUtcOffset(visit.request))}`}</h2>
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
      <PhoneTable phones={phones} due={queue.due} csrf={visit.csrf} />
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
