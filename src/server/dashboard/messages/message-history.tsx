import type { DeliveryMode } from '../../../domain/account/account.js'
import { type Attempt, listAttempts } from '../../../domain/message/attempts.js'
import {
  type DeliveryState,
  type DeliveryStatus,
  getDeliveryStatus,
} from '../../../domain/message/delivery-status.js'
import { explainFailure } from '../../../domain/message/failure-reason.js'
import {
  getAvailableTime,
  isWaiting,
  type Message,
  maxAttempts,
  retryStep,
} from '../../../domain/message/message.js'
import type { LeaseView } from '../../services/phones/find-lease.js'
import { type Child, type Html, h } from '../components/html.js'
import { Icon, type IconName } from '../components/icons.js'
import { deliveryLooks, statusLooks, type Tone } from '../components/pill.js'
import { Time } from '../components/time.js'

interface HistoryEntry {
  /** Milliseconds since the epoch; absent for what can happen at any time. */
  readonly at?: number | undefined
  readonly icon: IconName
  readonly tone?: Tone
  readonly title: string
  readonly text?: Child
  /** The words of the phone or of the network. */
  readonly said?: string | undefined
}

interface MessageHistoryProps {
  readonly message: Message
  readonly now: number
  /** The phone that has the message now. */
  readonly lease: LeaseView | undefined
  readonly mode: DeliveryMode
}

/**
 * The history on a message's page: its creation, its last change of status, the attempts and the
 * next step. Other changes of status are not in the record.
 */
export function MessageHistory(props: MessageHistoryProps): Html {
  const { message } = props
  return (
    <ol class={isWaiting(message) ? 'timeline' : 'timeline over'}>
      {listEntries(props).map(entry => (
        <li>
          <span class={`badge ${entry.tone ?? ''}`}>
            <Icon name={entry.icon} />
          </span>
          <div>
            <h3>{entry.title}</h3>
            {entry.text !== undefined && <p>{entry.text}</p>}
            {entry.said !== undefined && <p class="said">{entry.said}</p>}
          </div>
          {entry.at !== undefined && <Time at={entry.at} exact />}
        </li>
      ))}
    </ol>
  )
}

function listEntries(props: MessageHistoryProps): HistoryEntry[] {
  const { message } = props
  const { createdAt, sendAt, status, statusAt, source } = message
  const entries: HistoryEntry[] = [
    {
      at: createdAt,
      icon: 'messages',
      title: 'Accepted',
      text: `Created ${sourceNames[source]}.`,
    },
  ]
  if (sendAt > createdAt)
    entries.push({ at: sendAt, icon: 'calendar', title: 'Due', text: 'Earliest time to send it.' })
  entries.push(...listFailures(message))
  if ((status !== 'N' && status !== 'E') || (status === 'N' && statusAt !== createdAt))
    entries.push(describeStatus(message))
  const delivery = getDeliveryStatus(message)
  if (delivery !== undefined) entries.push(describeDelivery(message, delivery))
  if (isWaiting(message)) entries.push(...listNextSteps(props))
  return entries.sort((a, b) => Math.sign((a.at ?? Infinity) - (b.at ?? Infinity)) || 0)
}

function describeStatus({ status, statusAt, before, phone }: Message): HistoryEntry {
  const [title, tone, icon] = statusLooks[status]
  const wasBefore = before === undefined ? '' : ` Before: ${statusLooks[before][0]}.`
  const sentBy = status === 'S' && phone !== undefined ? ` By the phone ${phone}.` : ''
  return { at: statusAt, icon, tone, title, text: statusTexts[status] + sentBy + wasBefore }
}

/** How a message was created, within a sentence. */
export const sourceNames = {
  website: 'on the dashboard',
  api: 'through the API',
  url: 'by a secret URL',
  email: 'by an e-mail',
} as const satisfies Record<Message['source'], string>

const statusTexts = {
  N: 'It is waiting to be sent.',
  S: 'It was sent.',
  E: 'An attempt failed; it will be tried again.',
  F: 'All attempts failed.',
  D: 'It is not sent. It can be restored.',
  L: 'It is locked and not sent until it is unlocked.',
  B: 'The number is on the Do Not Text list.',
} as const satisfies Record<Message['status'], string>

function describeDelivery(
  { parts = 1 }: Message,
  { at, state, reason, delivered }: DeliveryStatus,
): HistoryEntry {
  const counts = parts === 1 ? '' : ` ${delivered} of ${parts} parts are delivered.`
  const [title, tone, icon] = deliveryLooks[state]
  return { at, icon, tone, title, text: deliveryTexts[state] + counts, said: reason }
}

const deliveryTexts = {
  pending: 'The network has accepted it but not delivered it yet.',
  delivered: 'The network has delivered it.',
  undelivered: 'The network could not deliver it.',
  expired: 'The network gave up delivering it.',
} as const satisfies Record<DeliveryState, string>

function listFailures(message: Message): HistoryEntry[] {
  const failed = listAttempts(message).filter(({ outcome }) => outcome !== 'sent')
  const isComplete =
    failed.filter(({ outcome }) => outcome === 'failed').length === message.failures
  if (failed.length > 0)
    return failed.map((each, index) => describeAttempt(each, isComplete ? index + 1 : undefined))
  return message.failures === 0 ? [] : [describeFailures(message)]
}

/** @param count how many attempts there were with this one, if all are known */
function describeAttempt(
  { at, outcome, phone, error = '' }: Attempt,
  count: number | undefined,
): HistoryEntry {
  const name = count === undefined ? 'An attempt' : `Attempt ${count}`
  const reason = explainFailure(error)
  const isFailed = outcome === 'failed'
  const title = isFailed ? `${name} failed` : 'The outcome of an attempt is unknown'
  const by = phone === undefined ? undefined : `The phone ${phone} reported it.`
  const text = [reason, by].filter(each => each !== undefined).join(' ')
  return {
    ...{ at, icon: 'cross', tone: 'bad', title },
    text: text === '' ? undefined : text,
    said: error === '' ? undefined : error,
  }
}

/** For a message whose attempts an earlier version did not record. */
function describeFailures(message: Message): HistoryEntry {
  const { failures, error = '', phone } = message
  const time = failures === 1 ? '' : ' This is the time of the last one.'
  const last = phone === undefined ? '' : ` The phone ${phone} reported it.`
  return {
    at: getLastFailureTime(message),
    icon: 'cross',
    tone: 'bad',
    title: `${failures} of ${maxAttempts} attempts failed`,
    text: `The phone could not send it.${last}${time}`,
    said: error === '' ? undefined : error,
  }
}

/**
 * The last failure's time for the page, derived from the next attempt, because the message record
 * does not contain it.
 */
function getLastFailureTime({ status, statusAt, retryAt, failures }: Message): number | undefined {
  if (status === 'F') return statusAt
  return retryAt === undefined ? undefined : retryAt - failures * retryStep
}

function listNextSteps({ message, now, lease, mode }: MessageHistoryProps): HistoryEntry[] {
  const { sendAt, createdAt } = message
  const next = { icon: 'clock', tone: 'busy' } as const
  if (lease !== undefined) {
    const { phone = 'a phone', endsAt: at } = lease
    const then = mode === 'at-least-once' ? 'the message is due again' : 'the message is locked'
    const text = `If the phone does not report a result by then, ${then}.`
    return [{ ...next, at, icon: 'send', title: `With ${phone}`, text }]
  }
  const at = getAvailableTime(message)
  if (at <= now) return [{ ...next, title: 'Waiting for a phone', text: 'It is due now.' }]
  if (at === sendAt && sendAt > createdAt) return []
  return [
    {
      ...next,
      at,
      title: 'Next attempt',
      text: 'The first phone that asks after this time gets it.',
    },
  ]
}
