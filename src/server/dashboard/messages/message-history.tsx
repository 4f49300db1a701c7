import {
  type DeliveryState,
  type DeliveryStatus,
  getDeliveryStatus,
} from '../../../domain/message/delivery-status.js'
import {
  getAvailableTime,
  isWaiting,
  type Message,
  maxAttempts,
  retryStep,
} from '../../../domain/message/message.js'
import { type Child, type Html, h } from '../components/html.js'
import { StatusBadge } from '../components/status-badge.js'
import { Time } from '../components/time.js'

type HistoryEntry = readonly [at: number | undefined, content: Child]

/**
 * The history on a message's page. A message record contains only its creation, its last change of
 * status, the number of failed attempts with the last error, and the next step.
 */
export function MessageHistory({ message, now }: { message: Message; now: number }): Html {
  return (
    <ol class="history">
      {listEntries(message, now).map(([at, content]) => (
        <li>
          {at !== undefined && <Time at={at} />} {content}
        </li>
      ))}
    </ol>
  )
}

function listEntries(message: Message, now: number): HistoryEntry[] {
  const { createdAt, sendAt, failures, status, statusAt, before } = message
  const entries: HistoryEntry[] = [[createdAt, `Created by ${sourceNames[message.source]}.`]]
  if (sendAt > createdAt) entries.push([sendAt, 'Earliest time to send it.'])
  if (status !== 'N' || statusAt !== createdAt) {
    entries.push([
      statusAt,
      <span>
        <StatusBadge status={status} /> {statusTexts[status]}
        {before === undefined ? '' : ' Before: '}
        {before !== undefined && <StatusBadge status={before} />}
      </span>,
    ])
  }
  if (failures > 0) entries.push([getLastFailureTime(message), describeFailures(message)])
  const delivery = getDeliveryStatus(message)
  if (delivery !== undefined) entries.push([delivery.at, describeDelivery(message, delivery)])
  if (isWaiting(message)) entries.push(...listNextSteps(message, now))
  return entries.sort(([a = Infinity], [b = Infinity]) => Math.sign(a - b) || 0)
}

const sourceNames = {
  website: 'the dashboard',
  api: 'the API',
  url: 'a secret URL',
  email: 'an e-mail',
} as const satisfies Record<Message['source'], string>

const statusTexts = {
  N: 'It waits to be sent.',
  S: 'It was sent.',
  E: 'An attempt failed; it will be tried again.',
  F: 'All attempts failed.',
  D: 'It was deleted and can be undeleted.',
  L: 'It is locked and not sent until it is unlocked.',
  B: 'The number is on the Do Not Text list.',
} as const satisfies Record<Message['status'], string>

function describeDelivery(
  { parts = 1 }: Message,
  { state, reason, delivered }: DeliveryStatus,
): string {
  const counts = parts === 1 ? '' : ` ${delivered} of ${parts} parts are delivered.`
  return `${deliveryTexts[state]}${counts}${reason === undefined ? '' : ` Reason: ${reason}`}`
}

const deliveryTexts = {
  pending: 'The network has accepted it and not delivered it yet.',
  delivered: 'The network has delivered it.',
  undelivered: 'The network could not deliver it.',
  expired: 'The network gave up delivering it.',
} as const satisfies Record<DeliveryState, string>

function describeFailures({ failures, error }: Message): string {
  const attempts = `${failures} of ${maxAttempts} attempts failed.`
  const time = failures === 1 ? '' : ' This is the time of the last one.'
  const lastError = error === undefined || error === '' ? '' : ` Error: ${error}`
  return attempts + time + lastError
}

/**
 * The last failure's time for the page, derived from the next attempt, because the message record
 * does not contain it.
 */
function getLastFailureTime({ status, statusAt, retryAt, failures }: Message): number | undefined {
  if (status === 'F') return statusAt
  return retryAt === undefined ? undefined : retryAt - failures * retryStep
}

function listNextSteps(message: Message, now: number): HistoryEntry[] {
  const { lease, sendAt, createdAt } = message
  if (lease !== undefined && lease.until > now)
    return [[lease.until, 'The lease of the phone that took it ends.']]
  const at = getAvailableTime(message)
  if (at <= now) return [[undefined, 'It waits for a phone.']]
  return at === sendAt && sendAt > createdAt ? [] : [[at, 'Earliest time of the next attempt.']]
}
