import { formatLocalTime } from '../../../domain/time/zoned-time.js'
import type { Delivery } from '../../../domain/webhook/delivery.js'
import type { Subscription } from '../../../domain/webhook/subscription.js'
import { formatCount } from '../../../util/text/plural.js'
import type { ServerContext } from '../../http/server-context.js'
import type { DeliverySummary } from '../../services/webhooks/delivery-summary.js'
import { BarChart, Legend } from '../charts/bar-chart.js'
import { CountTable } from '../charts/count-table.js'
import { type ChartClock, formatSpans, listTicks } from '../charts/time-axis.js'
import { Card, CardBody } from '../components/card.js'
import { type Child, Fragment, type Html, h } from '../components/html.js'
import { Time } from '../components/time.js'
import type { PageRequest } from '../page/page.js'
import { formatZone, getClockOffset, readTimeZone } from '../page/page-times.js'
import { describeDelivery, type WaitingEvents } from './subscription-summary.js'

export async function loadHealthCard(
  request: PageRequest,
  { deliveryLog }: Pick<ServerContext, 'deliveryLog'>,
  state: Pick<HealthCardProps, 'waiting'> & { readonly subscription: Subscription },
): Promise<Html> {
  const { subscription, waiting } = state
  const { account, now } = request
  const zone = readTimeZone(request)
  const offset = getClockOffset(zone, now)
  const summary = await deliveryLog.summarize(account, subscription.id, offset)
  const toLocal = (at: number): string => formatLocalTime(at, zone)
  const clock = { toLocal, zone: formatZone(zone) }
  return <HealthCard {...{ summary, waiting, clock }} />
}

interface HealthCardProps {
  readonly summary: DeliverySummary
  readonly waiting: WaitingEvents
  readonly clock: ChartClock
}

function HealthCard({ summary, waiting, clock }: HealthCardProps): Html {
  const { hours, delivered, failed, since, lastFailure } = summary
  const series = [
    { name: 'Succeeded', tone: 'good', sum: delivered },
    { name: 'Failed', tone: 'bad', sum: failed },
  ] as const
  return (
    <Card title="Health, last 24 hours" id="health">
      <CardBody>
        {delivered + failed === 0 ? (
          <p class="quiet">Nothing was delivered in the last 24 hours.</p>
        ) : (
          <>
            <Legend series={series} />
            <BarChart
              label={`In each of the last 24 hours: ${delivered} succeeded, ${failed} failed.`}
              series={series}
              bars={hours.map(each => [each.delivered, each.failed])}
              ticks={listTicks(hours, 'hour', clock, 'now')}
            />
          </>
        )}
        {since !== undefined && (
          <p class="quiet small">
            {'There are more: only the latest deliveries are counted, since '}
            <Time at={since} clock />.
          </p>
        )}
        {delivered + failed > 0 && <HoursTable hours={hours} clock={clock} />}
        {lastFailure !== undefined && <LastError delivery={lastFailure} />}
      </CardBody>
      <Figures summary={summary} waiting={waiting} />
    </Card>
  )
}

function LastError({ delivery }: { readonly delivery: Delivery }): Html {
  return (
    <p>
      {'Last error, '}
      <Time at={delivery.at} clock />
      {`: ${delivery.error ?? describeDelivery(delivery)}`}
    </p>
  )
}

function HoursTable(props: Pick<DeliverySummary, 'hours'> & Pick<HealthCardProps, 'clock'>): Html {
  const { hours, clock } = props
  const names = formatSpans(hours, 'hour', clock)
  return (
    <details class="disclosure" id="health-table">
      <summary>Show as a table</summary>
      <CountTable
        caption="Deliveries, latest first"
        head={`From (${clock.zone})`}
        columns={[
          ['Succeeded', each => each.delivered],
          ['Failed', each => each.failed],
        ]}
        rows={hours.map((each, at) => [names[at] ?? '', each] as const).toReversed()}
      />
    </details>
  )
}

function Figures({ summary, waiting }: Pick<HealthCardProps, 'summary' | 'waiting'>): Html {
  const { delivered, failed, medianMs, slowMs } = summary
  const oldest = waiting.first && (
    <>
      oldest since <Time at={waiting.first.at} clock />
    </>
  )
  const figures: readonly (readonly [string, string, Child])[] = [
    ['Delivered', formatCount(delivered), 'in 24 hours'],
    ['Failed deliveries', formatCount(failed), 'in 24 hours'],
    ['Waiting', waiting.count, oldest ?? 'no lag'],
    [
      'Response time',
      medianMs === undefined ? 'none' : `${medianMs} ms`,
      slowMs === undefined ? 'no deliveries' : `median; 95 % within ${slowMs} ms`,
    ],
  ]
  return (
    <dl class="figures">
      {figures.map(([name, value, note]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
          <dd>{note}</dd>
        </div>
      ))}
    </dl>
  )
}
