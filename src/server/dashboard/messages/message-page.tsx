import { isFinal, isWaiting, type Message } from '../../../domain/message/message.js'
import { ActionButton } from '../components/form.js'
import { Fragment, type Html, h } from '../components/html.js'
import { buildLink } from '../components/pagination.js'
import { StatusBadge } from '../components/status-badge.js'
import { DetailList } from '../components/table.js'
import { Time } from '../components/time.js'
import { LiveSection, showLiveSection } from '../page/live-section.js'
import { type PageRequest, type PageResult, showPage } from '../page/page.js'
import { formatTextLength } from './message-fields.js'
import { MessageHistory } from './message-history.js'
import { getMessagePath } from './message-path.js'

/** The page of one message. */
export function showMessagePage(request: PageRequest, message: Message): PageResult {
  const live = {
    id: 'message',
    path: getMessagePath(message.id),
    children: <MessageDetail message={message} request={request} />,
  }
  if (request.isPartial) return showLiveSection(request, live)
  const title = `Message to ${message.destination}`
  return showPage({ title, current: '/messages', body: <LiveSection {...live} /> })
}

function MessageDetail({ message, request }: { message: Message; request: PageRequest }): Html {
  return (
    <>
      <DetailList
        items={[
          ['Status', <StatusBadge status={message.status} />],
          ['To', formatNumber(message)],
          ['Message', <span class="text">{message.text}</span>],
          ['Length', formatSentLength(message)],
          ['Source', message.source],
          ['Identifier', <code>{message.id}</code>],
        ]}
      />
      <MessageActions message={message} csrf={request.csrf} />
      <h2>History</h2>
      <MessageHistory message={message} now={request.now} />
    </>
  )
}

function formatNumber({ destination, number }: Message): string {
  return destination === number ? number : `${destination} (${number})`
}

function formatSentLength({ text, parts }: Message): string {
  const sent = parts === undefined ? '' : `; sent in ${parts}`
  return formatTextLength(text) + sent
}

function MessageActions({ message, csrf }: { message: Message; csrf: string }): Html {
  const { id, status } = message
  const button = (verb: string, label: string, variant: 'primary' | 'secondary' | 'danger') => (
    <ActionButton
      action={`${getMessagePath(id)}/${verb}`}
      csrf={csrf}
      label={label}
      variant={variant}
    />
  )
  return (
    <section class="actions" aria-label="What can be done with it">
      {isWaiting(message) && <a href={`${getMessagePath(id)}/edit`}>Edit</a>}
      {isWaiting(message) && button('lock', 'Lock', 'secondary')}
      {status === 'L' && button('unlock', 'Unlock', 'secondary')}
      {status === 'D' && button('undelete', 'Undelete', 'primary')}
      {status !== 'D' && !isFinal(message) && button('delete', 'Delete', 'danger')}
      <a href={buildLink('/send', { again: id })}>Send again</a>
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
