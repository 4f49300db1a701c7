import {
  type ActivitySpan,
  type ActivityState,
  listActivity,
} from '../../../domain/phone/phone-activity.js'
import { formatLocalTime } from '../../../domain/time/zoned-time.js'
import type { PhoneView } from '../../services/phones/phone-service.js'
import { StateStrip, StripLegend, type StripState } from '../charts/state-strip.js'
import { type ChartClock, formatSpan, listClockTicks } from '../charts/time-axis.js'
import { Card, CardBody } from '../components/card.js'
import { type Html, h } from '../components/html.js'
import { Table } from '../components/table.js'
import type { PageRequest } from '../page/page.js'
import { formatZone, readTimeZone } from '../page/page-times.js'

const states: Readonly<Record<ActivityState, StripState>> = {
  active: { name: 'Active', tone: 'good' },
  present: { name: 'Not asking', tone: 'held' },
  quiet: { name: 'Quiet hours', tone: 'idle' },
  none: { name: 'No contact', tone: 'absent' },
}

interface ActivityProps {
  readonly phone: PhoneView
  readonly now: number
}

export function ActivityStrip({ phone, now }: ActivityProps): Html {
  const spans = listActivity(phone.activity, now)
  return <StateStrip label={describeActivity(spans)} states={states} spans={spans} />
}

export function ActivityCard(props: ActivityProps & Pick<PageRequest, 'http' | 'account'>): Html {
  const { phone, now } = props
  const zone = readTimeZone(props)
  const clock = { toLocal: (at: number) => formatLocalTime(at, zone), zone: formatZone(zone) }
  const spans = listActivity(phone.activity, now)
  return (
    <Card title="State, last 24 hours" id="activity">
      <CardBody>
        <StripLegend states={Object.values(states)} />
        <StateStrip
          label={describeActivity(spans)}
          states={states}
          spans={spans}
          ticks={listClockTicks(spans[0]?.from ?? now, now, clock)}
        />
        <details class="disclosure" id="activity-table">
          <summary>Show as a table</summary>
          <ActivityTable spans={spans} clock={clock} />
        </details>
      </CardBody>
    </Card>
  )
}

function ActivityTable(props: {
  readonly spans: readonly ActivitySpan[]
  clock: ChartClock
}): Html {
  const { spans, clock } = props
  return (
    <Table
      caption="States of the phone, latest first, to five minutes"
      head={[`From (${clock.zone})`, 'State', 'For']}
      rows={spans
        .toReversed()
        .map(span => [
          formatSpan(span, 'hour', clock),
          states[span.state].name,
          formatLength(span.until - span.from),
        ])}
      empty=""
    />
  )
}

/** For example `Active 21 h 5 min, No contact 2 h 55 min in the last 24 hours.` */
function describeActivity(spans: readonly ActivitySpan[]): string {
  const sums = (Object.keys(states) as ActivityState[]).flatMap(state => {
    const own = spans.filter(span => span.state === state)
    const sum = own.reduce((total, { from, until }) => total + until - from, 0)
    return sum === 0 ? [] : `${states[state].name} ${formatLength(sum)}`
  })
  return `${sums.join(', ')} in the last 24 hours.`
}

function formatLength(milliseconds: number): string {
  const minutes = Math.ceil(milliseconds / 60_000)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  if (hours === 0) return `${rest} min`
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`
}
