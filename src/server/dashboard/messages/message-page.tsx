import { isFinal, isWaiting, type Message } from '../../../domain/message/message.js'
import { ActionButton } from '../components/form.js'
import { Fragment, type Html, h } from '../components/html.js'
import { linkTo } from '../components/pagination.js'
import { StatusBadge } from '../components/status-badge.js'
import { Facts } from '../components/table.js'
import { Time } from '../components/time.js'
import { Live, livePart } from '../page/live-section.js'
import { type Answer, page, type Visit } from '../page/page.js'
import { lengthOf } from './message-fields.js'
import { MessageHistory } from './message-history.js'
import { messagePath } from './message-path.js'

/** The page of one message. */
export function detailPage(visit: Visit, message: Message): Answer {
  const live = {
    id: 'message',
    path: messagePath(message.id),
    children: <Detail message={message} visit={visit} />,
  }
  if (visit.partial) return livePart(visit, live)
  const title = `Message to ${message.destination}`
  return page({ title, current: '/messages', body: <Live {...live} /> })
}

function Detail({ message, visit }: { message: Message; visit: Visit }): Html {
  return (
    <>
      <Facts
        items={[
          ['Status', <StatusBadge status={message.status} />],
          ['To', numberOf(message)],
          ['Message', <span class="text">{message.text}</span>],
          ['Length', sentLength(message)],
          ['Source', message.source],
          ['Identifier', <code>{message.id}</code>],
        ]}
      />
      <Actions message={message} csrf={visit.csrf} />
      <h2>History</h2>
      <MessageHistory message={message} now={visit.now} />
    </>
  )
}

function numberOf({ destination, number }: Message): string {
  return destination === number ? number : `${destination} (${number})`
}

function sentLength({ text, parts }: Message): string {
  const sent = parts === undefined ? '' : `; sent in ${parts}`
  return lengthOf(text) + sent
}

function Actions({ message, csrf }: { message: Message; csrf: string }): Html {
  const { id, status } = message
  const button = (verb: string, label: string, look: 'primary' | 'secondary' | 'danger') => (
    <ActionButton action={`${messagePath(id)}/${verb}`} csrf={csrf} label={label} look={look} />
  )
  return (
    <section class="actions" aria-label="What can be done with it">
      {isWaiting(message) && <a href={`${messagePath(id)}/edit`}>Edit</a>}
      {isWaiting(message) && button('lock', 'Lock', 'secondary')}
      {status === 'L' && button('unlock', 'Unlock', 'secondary')}
      {status === 'D' && button('undelete', 'Undelete', 'primary')}
      {status !== 'D' && !isFinal(message) && button('delete', 'Delete', 'danger')}
      <a href={linkTo('/send', { again: id })}>Send again</a>
      {isFinal(message) && (
        <details>
          <summary>Delete for good</summary>
          <p>This cannot be undone.</p>
          {button('delete', 'Delete for good', 'danger')}
        </details>
      )}
    </section>
  )
}
