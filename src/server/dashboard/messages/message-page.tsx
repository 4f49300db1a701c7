// Pages about a message and what belongs to it: `message-page.tsx` (this file) shows one with its
// `message-notice.tsx`, its `message-details.tsx`, its `history` and the
// `message-commands.ts` that create another like it. `message-actions.ts` locks, deletes, undeletes
// and retries it, `message-edit-page.tsx` changes it, and `send-page.tsx` sends a text to one or
// more numbers. The last two share the fields and the validation of `message-form.tsx`.
// `received-texts-page.tsx` lists received texts.
import { includesRole } from '../../../domain/account/person.js'
import { isFinal, isWaiting, type Message } from '../../../domain/message/message.js'
import { describeAbsence } from '../../../domain/phone/phone-status.js'
import { splitIntoParts } from '../../../domain/sms/sms-parts.js'
import { pluralize } from '../../../util/text/plural.js'
import { getParam } from '../../http/route.js'
import type { ServerContext } from '../../http/server-context.js'
import { isUnsent, type MessageCopy } from '../../services/messages/message-copies.js'
import { findLastLease } from '../../services/phones/find-lease.js'
import { Card, CardBody } from '../components/card.js'
import { ActionButton, ButtonLink, type ButtonVariant } from '../components/form.js'
import { Fragment, type Html, h } from '../components/html.js'
import type { IconName } from '../components/icons.js'
import { buildLink } from '../components/pagination.js'
import { DeliveryPill, MessagePill } from '../components/pill.js'
import { CopyText } from '../components/secret.js'
import { Time } from '../components/time.js'
import { type PageRequest, type PageResult, type Pages, showPage } from '../page/page.js'
import { MessageHistory, sourceNames } from './history/message-history.js'
import { createMessageActions, statusFieldName } from './message-actions.js'
import { formatMessageCommands } from './message-commands.js'
import { DetailsCard, type ShownMessage } from './message-details.js'
import { formatTextLength } from './message-form.js'
import { StateNotice } from './message-notice.js'
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
        const lastLease = await findLastLease({ phones, claims }, account, message)
        const lease = lastLease && lastLease.endsAt > now ? lastLease : undefined
        const copy = (await messages.findCopies(account, [id])).get(id)
        const shown = { message, name: names.get(message.number), lease, lastLease, copy }
        const absence = describeAbsence(await phones.list(account))
        return showMessagePage(request, { ...shown, absence }, getBaseUrl(request.http))
      },
    },
    ...createMessageActions(messages),
  }
}

function showMessagePage(
  request: PageRequest,
  shown: ShownMessage & { readonly absence: ReturnType<typeof describeAbsence> },
  base: string,
): PageResult {
  const { csrf, now, account } = request
  const { message, name, lastLease, copy, absence } = shown
  const { id, destination } = message
  const canChange = includesRole(request.caller.role, 'sender')
  const body = (
    <div class="columns">
      <div>
        <StateNotice {...{ message, copy, canChange, now, absence }} />
        <TextCard message={message} />
        <Card title="History">
          <CardBody>
            <MessageHistory message={message} now={now} lease={lastLease} mode={account.mode} />
          </CardBody>
        </Card>
      </div>
      <div>
        <DetailsCard {...shown} />
        {canChange && <OtherActions message={message} csrf={csrf} base={base} now={now} />}
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
    actions: <MessageActions path={getMessagePath(id)} {...{ message, copy, csrf }} />,
    isLive: true,
    body,
  })
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
        <Parts text={text} />
      </CardBody>
    </Card>
  )
}

function Parts({ text }: { readonly text: string }): Html | null {
  const parts = splitIntoParts(text)
  if (parts.length === 1) return null
  return (
    <details class="disclosure" id="parts">
      <summary>{`Show the ${parts.length} parts`}</summary>
      {parts.map((part, index) => (
        <div>
          <p class="quiet small">
            {`Part ${index + 1}, ${pluralize([...part.text].length, 'character')}`}
          </p>
          <p class="said" dir="auto">
            {part.text}
          </p>
        </div>
      ))}
    </details>
  )
}

interface MessageActionsProps {
  readonly message: Message
  readonly csrf: string
}

function MessageActions(
  props: MessageActionsProps & { readonly path: string; copy: MessageCopy | undefined },
): Html {
  const { path, message, copy, csrf } = props
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
      {status === 'D' && copy === undefined && button('undelete', 'Restore', 'retry', 'primary')}
      {status !== 'D' && !isFinal(message) && button('delete', 'Cancel', 'cross', 'danger')}
      <ButtonLink
        href={buildLink('/send', { again: message.id })}
        label="Send again"
        icon="send"
        variant={
          status === 'F' && (copy === undefined || isUnsent(copy.message)) ? 'primary' : 'secondary'
        }
      />
    </>
  )
}

interface OtherActionsProps extends MessageActionsProps {
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
