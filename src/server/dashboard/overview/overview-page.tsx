import type { QueueDepth } from '../../../domain/message/queue-depth.js'
import type { AppParts } from '../../app.js'
import { param } from '../../http/exchange.js'
import type { PhoneView } from '../../services/phones/phone-service.js'
import type { Statistics } from '../../services/statistics-service.js'
import { clockName, offsetOf } from '../components/clock.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Time } from '../components/time.js'
import { Live, livePart } from '../page/live-section.js'
import { type Answer, done, type Pages, page, type Visit } from '../page/page.js'
import { Charts, chartAssets, Figures } from './overview-charts.js'
import { FirstSteps } from './overview-first-steps.js'
import { PhoneTable } from './overview-phones.js'

type Parts = Pick<AppParts, 'messages' | 'phones' | 'statistics' | 'baseOf'>

/** The first page: what happened today and lately, what waits, and which phones are there. */
export function overviewPages(parts: Parts): Pages {
  return {
    '/': { GET: async visit => await overview(visit, parts) },
    '/overview/figures': { GET: async visit => await figures(visit, parts) },
    '/phones/:name/forget': {
      POST: async ({ account, request }) => {
        const { name } = await parts.phones.forget(account, param(request, 'name'))
        return done('/', `The phone ${name} is forgotten; if it asks again, it is known again.`)
      },
    },
  }
}

async function overview(visit: Visit, parts: Parts): Promise<Answer> {
  const offset = offsetOf(visit.request)
  const statistics = await parts.statistics.of(visit.account, offset)
  const state = {
    visit,
    statistics,
    base: parts.baseOf(visit.request),
    ...(await load(visit, parts)),
  }
  const live = { id: 'now', path: '/', children: <Now {...state} /> }
  if (visit.partial) return livePart(visit, live)
  const body = (
    <>
      <Live {...live} />
      <Charts statistics={statistics} offset={offset} />
    </>
  )
  return page({ title: 'Overview', current: '/', body, assets: chartAssets })
}

async function figures(visit: Visit, { statistics }: Parts): Promise<Answer> {
  const offset = offsetOf(visit.request)
  const counted = await statistics.of(visit.account, offset)
  const live = Figures({ statistics: counted, offset })
  if (visit.partial) return livePart(visit, live)
  const body = Live(live)
  return page({ title: `Figures, by ${clockName(offset)}`, current: '/', body })
}

interface Loaded {
  readonly queue: QueueDepth
  readonly phones: readonly PhoneView[]
  /** Whether the account has no message at all. */
  readonly isEmpty: boolean
}

async function load({ account }: Visit, { messages, phones }: Parts): Promise<Loaded> {
  const any = { filter: 'all', start: 0, count: 1, order: 'asc' } as const
  const [queue, some] = await Promise.all([messages.queue(account), messages.list(account, any)])
  return { queue, phones: phones.list(account), isEmpty: some.length === 0 }
}

interface NowProps extends Loaded {
  readonly visit: Visit
  readonly statistics: Statistics
  readonly base: string
}

function Now({ visit, statistics: { today }, base, queue, phones, isEmpty }: NowProps): Html {
  return (
    <>
      {(isEmpty || phones.length === 0) && (
        <FirstSteps base={base} hasMessages={!isEmpty} hasPhones={phones.length > 0} />
      )}
      <h2>{`Today, by ${clockName(offsetOf(visit.request))}`}</h2>
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
