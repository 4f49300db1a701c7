// The overview, the first page after sign-in. `showOverview` loads what it shows:
// 1. what needs attention (`attention/`), and for an admin the first steps of an account without
//    messages or phones;
// 2. the figures of today, next to those of yesterday at the same hour;
// 3. the chart (`traffic-chart.tsx`), drawn by the server, for 48 hours or 90 days;
// 4. the latest messages, the phones and the subscriptions (`overview-lists.tsx`).
import { maxCounted } from '../../../domain/message/message-counts.js'
import type { QueueDepth } from '../../../domain/message/queue-depth.js'
import { formatCount, formatLimitedCount } from '../../../util/text/plural.js'
import type { ServerContext } from '../../http/server-context.js'
import type { CountedSpan, Statistics } from '../../services/statistics-service.js'
import type { AttentionList } from '../attention/attention-list.js'
import { Card, CardBody } from '../components/card.js'
import { ButtonLink } from '../components/form.js'
import { type Child, Fragment, type Html, h } from '../components/html.js'
import { Icon, type IconName } from '../components/icons.js'
import { Time } from '../components/time.js'
import {
  getQueryField,
  type PageRequest,
  type PageResult,
  type Pages,
  showPage,
} from '../page/page.js'
import { getClockOffset, readTimeZone } from '../page/page-times.js'
import { PhoneCommands } from '../phones/phones-page.js'
import {
  AttentionCard,
  type FeedEntry,
  LatestCard,
  PhonesCard,
  SubscriptionsCard,
} from './overview-lists.js'
import { type Period, TrafficChart } from './traffic-chart.js'

type Context = Pick<
  ServerContext,
  | 'messages'
  | 'contacts'
  | 'phones'
  | 'statistics'
  | 'subscriptions'
  | 'receivedTexts'
  | 'getBaseUrl'
> & { readonly attention: AttentionList }

export function createOverviewPages(context: Context): Pages {
  return { '/': { GET: async request => await showOverview(request, context) } }
}

const maxShown = 6

async function showOverview(request: PageRequest, context: Context): Promise<PageResult> {
  const { account, caller, http, now } = request
  const zone = readTimeZone(request)
  const offset = getClockOffset(zone, now)
  const counted = context.statistics.get(account, offset)
  const sources = {
    phones: context.phones.list(account),
    subscriptions: context.subscriptions.list(account),
    hours: counted.then(({ hours }) => hours),
  }
  const [items, statistics, queue, latest, phones, subscriptions] = await Promise.all([
    context.attention.list(account, sources),
    counted,
    context.messages.getQueueDepth(account, maxCounted + 1),
    loadLatest(request, context),
    sources.phones,
    sources.subscriptions,
  ])
  const isNew = caller.role === 'admin' && (phones.length === 0 || !latest.hasMessages)
  const body = (
    <>
      <AttentionCard items={items} role={caller.role} />
      {isNew && <FirstSteps base={context.getBaseUrl(http)} />}
      <Figures statistics={statistics} queue={queue} />
      <div class="columns">
        <div>
          <TrafficChart {...{ statistics, zone, offset }} period={readPeriod(request)} />
          <LatestCard entries={latest.entries} now={now} />
        </div>
        <div>
          <PhonesCard phones={phones.slice(0, maxShown)} />
          <SubscriptionsCard subscriptions={subscriptions.slice(0, maxShown)} role={caller.role} />
        </div>
      </div>
    </>
  )
  return showPage({ title: 'Overview', current: '/', isLive: true, body })
}

function readPeriod(request: PageRequest): Period {
  return getQueryField(request, 'period') === 'days' ? 'days' : 'hours'
}

async function loadLatest(
  { account }: PageRequest,
  { messages, receivedTexts, contacts }: Context,
): Promise<{ entries: FeedEntry[]; hasMessages: boolean }> {
  const page = { filter: 'all', start: 0, count: maxShown, order: 'desc' } as const
  const [sent, received] = await Promise.all([
    messages.list(account, page),
    receivedTexts.list(account, maxShown),
  ])
  const entries: FeedEntry[] = [
    ...sent.map(message => ({ at: message.createdAt, message })),
    ...received.map(each => ({ at: each.receivedAt, received: each })),
  ]
  const latest = entries.sort((a, b) => b.at - a.at).slice(0, maxShown)
  const numbers = latest.map(({ message, received }) => message?.number ?? received?.number ?? '')
  const names = await contacts.findNames(account, numbers)
  const named = latest.map((entry, at) => ({ ...entry, name: names.get(numbers[at] ?? '') }))
  return { entries: named, hasMessages: sent.length > 0 }
}

interface FiguresProps {
  readonly statistics: Statistics
  readonly queue: QueueDepth
}

function Figures({ statistics, queue }: FiguresProps): Html {
  const { today } = statistics
  const before = sumYesterday(statistics)
  const compare = (name: 'created' | 'sent' | 'failed'): string =>
    `${formatCount(before[name])} by this hour yesterday`
  const link = (filter: string): string => `/messages?filter=${filter}`
  const undelivered = today.undelivered + today.expired
  const waiting = { icon: 'clock', name: 'Waiting', value: queue.waiting } as const
  return (
    <Card label="Today">
      <dl class="figures">
        <Figure icon="out" name="Sent today" value={today.sent} path={link('sent')}>
          {compare('sent')}
        </Figure>
        <Figure icon="cross" name="Failed today" value={today.failed} path={link('failed')}>
          {compare('failed')}
        </Figure>
        <Figure {...waiting} most={maxCounted} path={link('normal')}>
          <QueueText queue={queue} />
        </Figure>
        <Figure icon="plus" name="Created today" value={today.created} path="/messages">
          {compare('created')}
        </Figure>
        <Figure icon="ban" name="Blocked today" value={today.blocked} path={link('blocked')}>
          on the Do Not Text list
        </Figure>
        {hasReceipts(statistics) && (
          <Figure icon="check" name="Delivered today" value={today.delivered} path="/messages">
            {`${undelivered} not delivered, ${today.pending} pending`}
          </Figure>
        )}
      </dl>
    </Card>
  )
}

function Figure(props: {
  readonly icon: IconName
  readonly name: string
  readonly value: number
  /** More than this are not counted. @default all are */
  readonly most?: number
  readonly path: string
  readonly children?: Child
}): Html {
  return (
    <div>
      <dt>
        <Icon name={props.icon} />
        {props.name}
      </dt>
      <dd>
        <a href={props.path}>{formatLimitedCount(props.value, props.most ?? props.value)}</a>
      </dd>
      <dd>{props.children}</dd>
    </div>
  )
}

function QueueText({ queue }: { readonly queue: QueueDepth }): Html {
  const { due, leased, oldestDueAt } = queue
  const withPhones = leased === 0 ? '' : `, ${leased} with phones`
  if (oldestDueAt === undefined) return <>{`none due${withPhones}`}</>
  return (
    <>
      {`${formatLimitedCount(due, maxCounted)} due since `}
      <Time at={oldestDueAt} clock />
      {withPhones}
    </>
  )
}

/** The counts of yesterday up to the present hour. */
function sumYesterday({
  today,
  hours,
}: Statistics): Pick<CountedSpan, 'created' | 'sent' | 'failed'> {
  const sofar = hours.filter(({ from }) => from >= today.from).length
  const until = hours.length - 24
  const spans = hours.slice(Math.max(0, until - sofar), until)
  const sum = (name: 'created' | 'sent' | 'failed'): number =>
    spans.reduce((total, span) => total + span[name], 0)
  return { created: sum('created'), sent: sum('sent'), failed: sum('failed') }
}

function hasReceipts({ days }: Statistics): boolean {
  return days.some(day => day.delivered + day.undelivered + day.expired + day.pending > 0)
}

/** For admins: only they have the keys with which a phone signs in. */
function FirstSteps({ base }: { readonly base: string }): Html {
  return (
    <Card title="First steps">
      <CardBody>
        <ol class="steps">
          <li>
            <div>
              <p>
                <strong>Start a phone.</strong> Sign in with <a href="/settings/keys">your keys</a>.
                This phone is simulated. See <a href="/phones">Phones</a> for more.
              </p>
              <PhoneCommands base={base} />
            </div>
          </li>
          <li>
            <div>
              <p>
                <strong>Send a message.</strong>
              </p>
              <p>
                <ButtonLink href="/send" label="New message" variant="primary" icon="send" />
              </p>
            </div>
          </li>
          <li>
            <div>
              <p>
                <strong>Receive events.</strong> A <a href="/subscriptions">subscription</a> calls
                your URL when something happens.
              </p>
            </div>
          </li>
        </ol>
      </CardBody>
    </Card>
  )
}
