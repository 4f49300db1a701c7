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

type HistoryEntry = readonly [at: number | undefined, what: Child]

/**
 * What became of a message, as far as it is kept: when it was created, when it came to be as it is now, how many tries
 * failed with the last one's time and error, and what is next.
 */
export function MessageHistory({ message, now }: { message: Message; now: number }): Html {
  return (
    <ol class="history">
      {listEntries(message, now).map(([at, what]) => (
        <li>
          {at !== undefined && <Time at={at} />} {what}
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
    const was = before === undefined ? '' : ' It was: '
    entries.push([
      statusAt,
      <span>
        <StatusBadge status={status} /> {statusTexts[status]}
        {was}
        {before !== undefined && <StatusBadge status={before} />}
      </span>,
    ])
  }
  if (failures > 0) entries.push([getLastFailureTime(message), describeFailures(message)])
  if (isWaiting(message)) entries.push(...listNextSteps(message, now))
  return entries.sort(([a = Infinity], [b = Infinity]) => Math.sign(a - b) || 0)
}

const sourceNames = {
  website: 'this website',
  api: 'the REST interface',
  url: 'a secret URL',
  email: 'an e-mail',
} as const satisfies Record<Message['source'], string>

const statusTexts = {
  N: 'It waits to be sent.',
  S: 'It was sent.',
  E: 'It could not be sent, and is tried again.',
  F: 'It was abandoned.',
  D: 'It was deleted, and can be brought back.',
  L: 'It is locked, and not sent until it is unlocked.',
  B: 'The number is on the Do Not Text list.',
} as const satisfies Record<Message['status'], string>

function describeFailures({ failures, error }: Message): Child {
  const said = error === undefined || error === '' ? '' : ` It said: ${error}`
  if (failures === 1) return `The first of ${maxAttempts} tries failed.${said}`
  return `${failures} of ${maxAttempts} tries failed; of those before the last no time is kept.${said}`
}

/** Kept only as the time of the next try, which is so much later. */
function getLastFailureTime({ status, statusAt, retryAt, failures }: Message): number | undefined {
  if (status === 'F') return statusAt
  return retryAt === undefined ? undefined : retryAt - failures * retryStep
}

function listNextSteps(message: Message, now: number): HistoryEntry[] {
  const { lease, sendAt, createdAt } = message
  if (lease !== undefined && lease.until > now)
    return [[lease.until, 'A phone has it, and is to report until then.']]
  const at = getAvailableTime(message)
  if (at <= now) return [[undefined, 'It waits for a phone to take it.']]
  return at === sendAt && sendAt > createdAt ? [] : [[at, 'It may be tried again.']]
}
