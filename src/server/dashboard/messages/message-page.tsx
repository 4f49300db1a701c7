// Pages about a message and what belongs to it: `message-page.tsx` (this file) shows one with its
// `message-details.tsx`, its `message-history.tsx` and the `message-commands.ts` that create
// another like it, `message-actions.ts` locks, deletes, undeletes and retries it,
// `message-edit-page.tsx` changes it, and `send-page.tsx` sends a text to one or more numbers. The
// last two share the fields and the validation of `message-form.tsx`. `received-texts-page.tsx`
// lists received texts; `do-not-text-page.tsx` and `do-not-text-file-page.tsx` show, change, import
// and export the Do Not Text list.
import { includesRole } from '../../../domain/account/person.js'
import { formatFailureReason } from '../../../domain/message/failure-reason.js'
import {
  getDueTime,
  isFinal,
  isWaiting,
  type Message,
  maxAttempts,
} from '../../../domain/message/message.js'
import { getParam } from '../../http/route.js'
import type { ServerContext } from '../../http/server-context.js'
import { findLease } from '../../services/phones/find-lease.js'
import { Card, CardBody } from '../components/card.js'
import { ActionButton, ButtonLink, type ButtonVariant } from '../components/form.js'
import { Fragment, type Html, h } from '../components/html.js'
import type { IconName } from '../components/icons.js'
import { Notice } from '../components/notice.js'
import { buildLink } from '../components/pagination.js'
import { DeliveryPill, MessagePill } from '../components/pill.js'
import { CopyText } from '../components/secret.js'
import { Time } from '../components/time.js'
import { type PageRequest, type PageResult, type Pages, showPage } from '../page/page.js'
import { createMessageActions, statusFieldName } from './message-actions.js'
import { formatMessageCommands } from './message-commands.js'
import { DetailsCard, type ShownMessage } from './message-details.js'
import { formatTextLength } from './message-form.js'
import { MessageHistory, sourceNames } from './message-history.js'
import { getMessagePath } from './message-path.js'

export function createMessagePages({
  messages,
  contacts,
  phones,
  claims,
  getBaseUrl,
}: Pick<ServerContext, 'messages' | 'contacts' | 'phones' | 'claims' | 'getBaseUrl'>): Pages {
  return {
    '/messages/:id': {
      GET: async request => {
        const id = getParam(request.http, 'id')
        const { account, now } = request
        const message = await messages.getIncludingDeleted(account, id)
        const names = await contacts.findNames(account, [message.number])
        const lease = await findLease({ phones, claims }, account, message, now)
        const shown = { message, name: names.get(message.number), lease }
        return showMessagePage(request, shown, getBaseUrl(request.http))
      },
    },
    ...createMessageActions(messages),
  }
}

function showMessagePage(request: PageRequest, shown: ShownMessage, base: string): PageResult {
  const { csrf, now, account } = request
  const { message, name, lease } = shown
  const { id, destination } = message
  const body = (
    <div class="columns">
      <div>
        <StateNotice message={message} />
        <TextCard message={message} />
        <Card title="History">
          <CardBody>
            <MessageHistory message={message} now={now} lease={lease} mode={account.mode} />
          </CardBody>
        </Card>
      </div>
      <div>
        <DetailsCard {...shown} />
        {includesRole(request.caller.role, 'sender') && (
          <OtherActions message={message} csrf={csrf} base={base} now={now} />
        )}
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

interface OtherActionsProps extends MessageActionsProps {
  /** Base URL of the relay. */
  readonly base: string
  readonly now: number
}

/** The actions that a person seldom needs; they are for the roles that can send. */
function OtherActions({ message, csrf, base, now }: OtherActionsProps): Html {
  const { curl, cli } = formatMessageCommands(message, base, now)
  return (
    <Card title="More actions">
      <CardBody>
        <details class="disclosure" id="commands">
          <summary>Copy as a command</summary>
          <p class="soft small">
            Each run creates a new message to this number, with this text. Both commands take a
            token from the variable <code>SMSRELAY_TOKEN</code>, which{' '}
            <code>smsrelay token issue</code> prints; the second also works with a saved profile.
          </p>
          <CopyText id="curl" label="curl" value={curl} />
          <CopyText id="cli" label="Command line" value={cli} />
        </details>
        {isFinal(message) && <DeleteAction message={message} csrf={csrf} />}
      </CardBody>
    </Card>
  )
}

function DeleteAction({ message, csrf }: MessageActionsProps): Html {
  return (
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
  )
}
