import { isFinal, isWaiting, type Message } from '../../../domain/message/message.js'
import { isRelayError } from '../../../errors.js'
import { getParam } from '../../http/route.js'
import type { ServerContext } from '../../http/server-context.js'
import type { MessageService } from '../../services/messages/message-service.js'
import { ActionButton, type ButtonVariant } from '../components/form.js'
import { Fragment, type Html, h } from '../components/html.js'
import { buildLink } from '../components/pagination.js'
import { DeliveryBadge, StatusBadge } from '../components/status-badge.js'
import { DetailList } from '../components/table.js'
import { Time } from '../components/time.js'
import { LiveSection, showLiveSection } from '../page/live-section.js'
import {
  type PageHandler,
  type PageRequest,
  type PageResult,
  type Pages,
  redirectWithError,
  redirectWithSuccess,
  showPage,
} from '../page/page.js'
import { formatTextLength } from './message-form.js'
import { MessageHistory } from './message-history.js'

export function getMessagePath(id: string): string {
  return `/messages/${encodeURIComponent(id)}`
}

export function createMessagePages({ messages }: Pick<ServerContext, 'messages'>): Pages {
  return {
    '/messages/:id': {
      GET: async request => {
        const id = getParam(request.http, 'id')
        const message = await messages.getIncludingDeleted(request.account, id)
        return showMessagePage(request, message)
      },
    },
    '/messages/:id/delete': { POST: createDeleteHandler(messages) },
    '/messages/:id/lock': { POST: createActionHandler(messages, 'lock') },
    '/messages/:id/unlock': { POST: createActionHandler(messages, 'unlock') },
    '/messages/:id/undelete': { POST: createActionHandler(messages, 'undelete') },
  }
}

function createDeleteHandler(messages: MessageService): PageHandler {
  return async ({ account, http }) => {
    const id = getParam(http, 'id')
    const before = await messages.get(account, id)
    await messages.remove(account, id)
    if (isFinal(before)) return redirectWithSuccess('/messages', 'The message is deleted.')
    return redirectWithSuccess(getMessagePath(id), 'The message is deleted. You can undelete it.')
  }
}

type MessageAction = 'lock' | 'unlock' | 'undelete'

const resultTexts: Readonly<Record<MessageAction, string>> = {
  lock: 'The message is locked. It is not sent until you unlock it.',
  unlock: 'The message is unlocked.',
  undelete: 'The message is undeleted.',
}

function createActionHandler(messages: MessageService, action: MessageAction): PageHandler {
  return async ({ account, http }) => {
    const id = getParam(http, 'id')
    try {
      const message = await messages[action](account, id)
      if (message?.status === 'B')
        return redirectWithError(getMessagePath(id), 'The number is on the Do Not Text list.')
      return redirectWithSuccess(getMessagePath(id), resultTexts[action])
    } catch (error) {
      // The message may have changed since its page was loaded.
      if (!isRelayError(error, 'invalid_state')) throw error
      return redirectWithError(getMessagePath(id), error.message)
    }
  }
}

function showMessagePage(request: PageRequest, message: Message): PageResult {
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
          [
            'Status',
            <>
              <StatusBadge status={message.status} /> <DeliveryBadge message={message} />
            </>,
          ],
          ['To', formatNumber(message)],
          ['Message', <span class="text">{message.text}</span>],
          ['Length', formatSentLength(message)],
          ['Source', message.source],
          ...(message.phone === undefined ? [] : [['Phone', message.phone] as const]),
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
  const path = getMessagePath(id)
  const button = (action: string, label: string, variant: ButtonVariant) => (
    <ActionButton action={`${path}/${action}`} csrf={csrf} label={label} variant={variant} />
  )
  return (
    <section class="actions" aria-label="Actions">
      {isWaiting(message) && <a href={`${path}/edit`}>Edit</a>}
      {isWaiting(message) && button('lock', 'Lock', 'secondary')}
      {status === 'L' && button('unlock', 'Unlock', 'secondary')}
      {status === 'D' && button('undelete', 'Undelete', 'primary')}
      {status !== 'D' && !isFinal(message) && button('delete', 'Delete', 'danger')}
      <a href={buildLink('/send', { again: id })}>Send again</a>
      {isFinal(message) && (
        <details>
          <summary>Delete permanently</summary>
          <p>This cannot be undone.</p>
          {button('delete', 'Delete permanently', 'danger')}
        </details>
      )}
    </section>
  )
}
