import { formatFailureReason } from '../../../domain/message/failure-reason.js'
import { getDueTime, isWaiting, type Message } from '../../../domain/message/message.js'
import type { ReceivedText } from '../../../domain/phone/received-text.js'
import { addDays } from '../../../domain/time/local-day.js'
import { formatLocalTime } from '../../../domain/time/zoned-time.js'
import { type Child, Fragment, type Html, h } from '../components/html.js'
import { Icon } from '../components/icons.js'
import { buildLink } from '../components/pagination.js'
import { statusLooks } from '../components/pill.js'
import { Time } from '../components/time.js'
import { getMessagePath } from '../messages/message-path.js'
import { ReceivedContent } from '../messages/received-content.js'
import { formatDay } from '../page/page-times.js'
import type { ConversationEntry } from './load-conversations.js'

interface ThreadProps {
  readonly entries: readonly ConversationEntry[]
  readonly now: number
  readonly zone: string
}

export function Thread({ entries, now, zone }: ThreadProps): Html {
  const days = entries.map(({ at }) => getLocalDay(at, zone))
  const today = getLocalDay(now, zone)
  return (
    <ol class="texts">
      {entries.map(({ message, received }, index) => (
        <>
          {days[index] !== days[index - 1] && (
            <li class="day">{nameDay(days[index] ?? '', today)}</li>
          )}
          {message && <SentBubble message={message} now={now} />}
          {received && <ReceivedBubble received={received} />}
        </>
      ))}
      <li id="latest" />
    </ol>
  )
}

function getLocalDay(at: number, zone: string): string {
  return formatLocalTime(at, zone).slice(0, 10)
}

function nameDay(day: string, today: string): string {
  if (day === today) return 'Today'
  return day === addDays(today, -1) ? 'Yesterday' : formatDay(day)
}

function SentBubble({ message, now }: { readonly message: Message; now: number }): Html {
  const { id, text, status } = message
  const isLater = isWaiting(message) && getDueTime(message) > now
  const look = status === 'F' ? ' failed' : isLater || status === 'L' ? ' later' : ''
  const [, , icon] = statusLooks[status]
  return (
    <li class="out" id={`m-${id}`}>
      <span class="unseen">Sent:</span>
      <p class={`bubble out${look}`} dir="auto">
        {text}
      </p>
      <Meta>
        <span class={status === 'F' ? 'bad-text' : undefined}>
          <Icon name={isLater && status === 'N' ? 'calendar' : icon} />
          <SentState message={message} isLater={isLater} />
        </span>
        <a href={getMessagePath(id)}>Details</a>
        {isLater && (
          <a class="link" href={`${getMessagePath(id)}/edit`}>
            Edit
          </a>
        )}
        {status === 'F' && (
          <a class="link" href={buildLink('/send', { again: id })}>
            Send again
          </a>
        )}
      </Meta>
    </li>
  )
}

function SentState({ message, isLater }: { readonly message: Message; isLater: boolean }): Html {
  const { status, statusAt, phone, error = '' } = message
  const [word] = statusLooks[status]
  if (isLater && status === 'N')
    return (
      <>
        Scheduled for <Time at={getDueTime(message)} clock />
      </>
    )
  const hasReason = (status === 'F' || status === 'E') && error !== ''
  return (
    <>
      {word}
      {hasReason && (
        <>
          {': '}
          <bdi>{formatFailureReason(error)}</bdi>
          {' ·'}
        </>
      )}{' '}
      <Time at={statusAt} />
      {phone !== undefined && ` · ${phone}`}
    </>
  )
}

function ReceivedBubble({ received }: { readonly received: ReceivedText }): Html {
  const { id, receivedAt, phone, line, word } = received
  const receiver = [phone, line].filter(name => name !== undefined).join(', ')
  return (
    <li class="in" id={`r-${id}`}>
      <span class="unseen">Received:</span>
      <p class="bubble in" dir="auto">
        <ReceivedContent received={received} />
      </p>
      <Meta>
        <span>
          <Icon name={word === undefined ? 'in' : 'ban'} />
          {word !== undefined && `${word} keyword · `}
          <Time at={receivedAt} />
          {receiver !== '' && ` · received by ${receiver}`}
        </span>
      </Meta>
    </li>
  )
}

function Meta({ children }: { readonly children?: Child }): Html {
  return <div class="meta">{children}</div>
}
