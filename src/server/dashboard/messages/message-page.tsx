// Pages about a message and what belongs to it: `message-page.tsx` (this file) shows one with its
// `message-details.tsx` and `message-history.tsx`, `message-actions.ts` locks, deletes, undeletes
// and retries it, `message-edit-page.tsx` changes it, and `send-page.tsx` sends a text to one or
// more numbers. The last two share the fields and the validation of `message-form.tsx`.
// `received-texts-page.tsx` lists received texts; `do-not-text-page.tsx` and
// `do-not-text-file-page.tsx` show, change, import and export the Do Not Text list.
import { formatFailureReason } from '../../../domain/message/failure-reason.js'
import {
  getDueTime,
  isFinal,
  isWaiting,
  type Message,
  maxAttempts,
  statusNames,
} from '../../../domain/message/message.js'
import { pluralize } from '../../../util/text/plural.js'
import { getParam } from '../../http/route.js'
import type { ServerContext } from '../../http/server-context.js'
import { findLease, type LeaseView } from '../../services/phones/find-lease.js'
import { Card, CardBody } from '../components/card.js'
import { ActionButton, ButtonLink, type ButtonVariant } from '../components/form.js'
import { Fragment, type Html, h } from '../components/html.js'
import type { IconName } from '../components/icons.js'
import { Notice } from '../components/notice.js'
import { buildLink } from '../components/pagination.js'
import { DeliveryPill, MessagePill, statusLooks } from '../components/pill.js'
import { Facts } from '../components/table.js'
import { Time } from '../components/time.js'
import { type PageRequest, type PageResult, type Pages, showPage } from '../page/page.js'
import { createMessageActions, statusFieldName } from './message-actions.js'
import { DetailsCard, type ShownMessage } from './message-details.js'
import { formatTextLength } from './message-form.js'
import { MessageHistory, sourceNames } from './message-history.js'
import { getConversationPath, getMessagePath, getPhonePath, sourceLabels } from './message-path.js'

export function createMessagePages({
  messages,
  contacts,
  phones,
  claims,
}: Pick<ServerContext, 'messages' | 'contacts' | 'phones' | 'claims'>): Pages {
  return {
    '/messages/:id': {
      GET: async request => {
        const id = getParam(request.http, 'id')
        const { account, now } = request
        const message = await messages.getIncludingDeleted(account, id)
        const names = await contacts.findNames(account, [message.number])
        const lease = await findLease({ phones, claims }, account, message, now)
        return showMessagePage(request, { message, name: names.get(message.number), lease })
      },
    },
    ...createMessageActions(messages),
  }
}

function showMessagePage(
  { csrf, now, account: { mode } }: PageRequest,
  shown: ShownMessage,
): PageResult {
  const { message, name, lease } = shown
  const { id, destination } = message
  const body = (
    <div class="columns">
      <div>
        <StateNotice message={message} />
        <TextCard message={message} />
        <Card title="History">
          <CardBody>
            <MessageHistory {...{ message, now, lease, mode }} />
          </CardBody>
        </Card>
      </div>
      <div>
        <DetailsCard {...shown} />
        <OtherActions message={message} csrf={csrf} />
      </div>
    </div>
  )
  return showPage({
    title: `Message to ${name ?? destination}`,
    heading: ['Message to ', <bdi>{name ?? destination}</bdi>],
    current: '/messages',
    parent: { path: '/messages', label: 'Messages' },
    state: (
      <>
        <MessagePill message={message} now={now} />
        <DeliveryPill message={message} />
      </>
    ),
    actions: <MessageActions path={getMessagePath(id)} message={message} csrf={csrf} />,
    isLive: true,
    body,
  })
}

/** Says first why a message is not sent. */
function StateNotice({ message }: { readonly message: Message }): Html | null {
  const { status, failures, error = '', number } = message
  const reason = error === '' ? 'the phone gave no reason' : formatFailureReason(error)
  if (status === 'E')
    return (
      <Notice kind="warning" title={`Not sent yet: ${reason}`}>
        {`${failures} of ${maxAttempts} attempts failed. The next attempt is `}
        <Time at={getDueTime(message)} />. If the number is wrong, edit the message. If the message
        is no longer needed, cancel it.
      </Notice>
    )
  if (status === 'F')
    return (
      <Notice kind="failed" title={`Not sent: ${reason}`}>
        All attempts failed. Send it again if it is still needed; that creates a new message.
      </Notice>
    )
  if (status === 'B')
    return (
      <Notice
        kind="warning"
        icon="ban"
        title={`Not sent: ${number} is on the Do Not Text list`}
        actions={
          <ButtonLink href={buildLink('/do-not-text', { q: number })} label="View the list" />
        }
      >
        Blocked messages stay blocked. To text this number, remove it from the list and send again.
      </Notice>
    )
  return null
}

function TextCard({ message }: { readonly message: Message }): Html {
  const { text, destination, source, createdAt } = message
  const length = <span class="quiet small">{formatTextLength(text)}</span>
  return (
    <Card title="Text" aside={length}>
      <CardBody>
        <p>
          <span class="bubble out solo" dir="auto">
            {text}
          </span>
        </p>
        <p class="quiet small">
          {`To ${destination} · created `}
          <Time at={createdAt} />
          {` ${sourceNames[source]}`}
        </p>
      </CardBody>
    </Card>
  )
}

interface MessageActionsProps {
  readonly message: Message
  readonly csrf: string
}

function MessageActions(props: MessageActionsProps & { readonly path: string }): Html {
  const { path, message, csrf } = props
  const { status } = message
  const fields = { [statusFieldName]: status }
  const button = (action: string, label: string, icon: IconName, variant: ButtonVariant) => (
    <ActionButton
      action={`${path}/${action}`}
      fields={fields}
      {...{ csrf, label, icon, variant }}
    />
  )
  return (
    <>
      {status === 'E' && button('retry', 'Retry now', 'retry', 'primary')}
      {isWaiting(message) && <ButtonLink href={`${path}/edit`} label="Edit" icon="edit" />}
      {isWaiting(message) && button('lock', 'Lock', 'lock', 'secondary')}
      {status === 'L' && button('unlock', 'Unlock', 'lock', 'primary')}
      {status === 'D' && button('undelete', 'Restore', 'retry', 'primary')}
      {status !== 'D' && !isFinal(message) && button('delete', 'Cancel', 'cross', 'danger')}
      <ButtonLink
        href={buildLink('/send', { again: message.id })}
        label="Send again"
        icon="send"
        variant={status === 'F' ? 'primary' : 'secondary'}
      />
    </>
  )
}

function OtherActions({ message, csrf }: MessageActionsProps): Html | null {
  if (!isFinal(message)) return null
  return (
    <Card title="Other actions">
      <CardBody>
        <details class="disclosure">
          <summary>Delete permanently</summary>
          <p class="soft small">The message and its history are deleted. This cannot be undone.</p>
          <ActionButton
            action={`${getMessagePath(message.id)}/delete`}
            csrf={csrf}
            fields={{ [statusFieldName]: message.status }}
            label="Delete permanently"
            variant="sure"
          />
        </details>
      </CardBody>
    </Card>
  )
}
