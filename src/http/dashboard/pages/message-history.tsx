import { availableAt, isWaiting, type Message, maxAttempts } from '../../../domain/message.js'
import { type Child, type Html, h } from '../html.js'
import { StatusBadge } from '../parts/status-badge.js'
import { Time } from '../parts/time.js'

type Entry = readonly [at: number | undefined, what: Child]

/**
 * What became of a message, as far as it is kept: when it was created, its failed tries in all with the last error, and
 * when it came to be as it is now.
 */
export function MessageHistory({ message, now }: { message: Message; now: number }): Html {
  return (
    <ol class="history">
      {entriesOf(message, now).map(([at, what]) => (
        <li>
          {at !== undefined && <Time at={at} />} {what}
        </li>
      ))}
    </ol>
  )
}

function entriesOf(message: Message, now: number): Entry[] {
  const { createdAt, sendAt, failures, status, statusAt, before } = message
  const entries: Entry[] = [[createdAt, `Created by ${sourceNames[message.source]}.`]]
  if (sendAt > createdAt) entries.push([sendAt, 'Earliest time to send it.'])
  if (failures > 0) entries.push([undefined, failuresOf(message)])
  if (status !== 'N' || statusAt !== createdAt) {
    const was = before === undefined ? '' : ' It was: '
    entries.push([
      statusAt,
      <span>
        <StatusBadge status={status} /> {sentenceOf[status]}
        {was}
        {before !== undefined && <StatusBadge status={before} />}
      </span>,
    ])
  }
  if (isWaiting(message)) entries.push(waitingOf(message, now))
  return entries
}

const sourceNames = {
  website: 'this website',
  api: 'the REST interface',
  url: 'a secret URL',
  email: 'an e-mail',
} as const satisfies Record<Message['source'], string>

const sentenceOf = {
  N: 'It waits to be sent.',
  S: 'It was sent.',
  E: 'The last try failed; it will be tried again.',
  F: 'It was abandoned.',
  D: 'It was deleted, and can be brought back.',
  L: 'It is locked, and not sent until it is unlocked.',
  B: 'The number is on the Do Not Text list.',
} as const satisfies Record<Message['status'], string>

function failuresOf({ failures, error }: Message): Child {
  const said = error === undefined || error === '' ? '' : ` The last one said: ${error}`
  return `${failures} of ${maxAttempts} tries failed; only the last one's time is kept.${said}`
}

function waitingOf(message: Message, now: number): Entry {
  const { lease } = message
  if (lease !== undefined && lease.until > now)
    return [lease.until, 'A phone has it, and is to report until then.']
  const at = availableAt(message)
  return at <= now ? [undefined, 'It waits for a phone to take it.'] : [at, 'A phone may take it.']
}
