// The history on a message's page, from its creation to the next step.
// - message-history.tsx (this file): the list with the time of each entry, the status, what the
//   network reported, and what is next
// - lease-history.tsx: the phones that had the message, each with how its lease ended: a failed
//   attempt with its reason, no report, or a release; the lease that ended with the success is the
//   entry of the status
import type { DeliveryMode } from '../../../../domain/account/account.js'
import { listAttempts } from '../../../../domain/message/attempts.js'
import {
  type DeliveryState,
  type DeliveryStatus,
  getDeliveryStatus,
} from '../../../../domain/message/delivery-status.js'
import { getAvailableTime, isWaiting, type Message } from '../../../../domain/message/message.js'
import type { LeaseView } from '../../../services/phones/find-lease.js'
import { Fragment, type Html, h } from '../../components/html.js'
import { Icon } from '../../components/icons.js'
import { deliveryLooks, statusLooks } from '../../components/pill.js'
import { Time } from '../../components/time.js'
import {
  describeEndedLease,
  describeHolder,
  type HistoryEntry,
  listLeaseEnds,
} from './lease-history.js'

interface MessageHistoryProps {
  readonly message: Message
  readonly now: number
  readonly lease: LeaseView | undefined
  readonly mode: DeliveryMode
}

/**
 * The history on a message's page: its creation, its leases, the attempts, its last change of
 * status and the next step. Other changes of status are not in the record.
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
  const { message, lease, now } = props
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
  entries.push(...listLeaseEnds(message))
  if ((status !== 'N' && status !== 'E') || (status === 'N' && statusAt !== createdAt))
    entries.push(describeStatus(message))
  const delivery = getDeliveryStatus(message)
  if (delivery !== undefined) entries.push(describeDelivery(message, delivery))
  if (lease !== undefined && lease.endsAt <= now) entries.push(describeEndedLease(lease))
  if (isWaiting(message)) entries.push(...listNextSteps(props))
  return entries.sort((a, b) => Math.sign((a.at ?? Infinity) - (b.at ?? Infinity)) || 0)
}

function describeStatus(message: Message): HistoryEntry {
  const { status, statusAt, before } = message
  const [title, tone, icon] = statusLooks[status]
  const wasBefore = before === undefined ? '' : ` Before: ${statusLooks[before][0]}.`
  const sent = listAttempts(message).find(({ outcome }) => outcome === 'sent')
  const text = (
    <>
      {statusTexts[status]}
      {wasBefore} {sent && describeHolder(sent, phone => `By the phone ${phone}.`)}
    </>
  )
  return { at: statusAt, icon, tone, title, text }
}

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

function listNextSteps({ message, now, lease, mode }: MessageHistoryProps): HistoryEntry[] {
  const { sendAt, createdAt } = message
  const next = { icon: 'clock', tone: 'busy' } as const
  if (lease !== undefined && lease.endsAt > now) {
    const { phone = 'a phone', beganAt, endsAt: at } = lease
    const then = mode === 'at-least-once' ? 'the message is due again' : 'the message is locked'
    const text = (
      <>
        Since <Time at={beganAt} exact />. If the phone does not report a result by the end of its
        lease, {then}.
      </>
    )
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
