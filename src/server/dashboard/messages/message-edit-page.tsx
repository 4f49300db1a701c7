import type { Message } from '../../../domain/message/message.js'
import { isWaiting } from '../../../domain/message/message.js'
import { formatLocalTime, parseLocalTime } from '../../../domain/time/zoned-time.js'
import { isRelayError } from '../../../errors.js'
import { getParam } from '../../http/route.js'
import type { ServerContext } from '../../http/server-context.js'
import type { MessageDraft } from '../../services/messages/message-composer.js'
import type { MessageService } from '../../services/messages/message-service.js'
import { ButtonLink } from '../components/form.js'
import { h } from '../components/html.js'
import { checkVersion, createVersion, showChanged } from '../forms/edit-conflict.js'
import { EditCard } from '../forms/edit-frame.js'
import {
  type PageRequest,
  type PageResult,
  type Pages,
  redirectWithError,
  redirectWithSuccess,
  showPage,
} from '../page/page.js'
import { readTimeZone } from '../page/page-times.js'
import { describeMeanwhile } from './changed-message.js'
import {
  MessageFields,
  type MessageFormErrors,
  type MessageFormInput,
  normalizeLineBreaks,
  parseMessageForm,
  parseSendAt,
  validateMessageForm,
} from './message-form.js'
import { getMessagePath } from './message-path.js'

export function createMessageEditPages({ messages }: Pick<ServerContext, 'messages'>): Pages {
  return {
    '/messages/:id/edit': {
      GET: async request => {
        const message = await messages.get(request.account, getParam(request.http, 'id'))
        if (isWaiting(message)) return showFreshPage(request, message)
        return redirectWithError(
          getMessagePath(message.id),
          'Only a message that is waiting or retrying can be edited.',
        )
      },
      POST: async request => await editMessage(request, messages),
    },
  }
}

async function editMessage(request: PageRequest, messages: MessageService): Promise<PageResult> {
  const { account, http } = request
  const message = await messages.get(account, getParam(http, 'id'))
  const form = parseMessageForm(request)
  const errors = validateMessageForm(form, account.country, 1)
  if (errors !== undefined) return showEditPage(request, message, form, errors)
  const changes = findChanges(message, form, request.now)
  const back = getMessagePath(message.id)
  if (Object.keys(changes).length === 0)
    return redirectWithSuccess(back, 'The message has not changed.')
  try {
    const edited = await messages.edit(account, message.id, changes, current =>
      checkVersion(request, getVersion(current)),
    )
    if (edited?.status === 'B')
      return redirectWithError(back, 'The number is on the Do Not Text list.')
    return redirectWithSuccess(back, 'The message is changed.')
  } catch (error) {
    if (!isRelayError(error, 'invalid_state') && !isRelayError(error, 'precondition_failed'))
      throw error
    const latest = await messages.getIncludingDeleted(account, message.id)
    return await showChanged(request, describeMeanwhile(latest), fresh =>
      isWaiting(latest)
        ? showFreshPage(fresh, latest)
        : showPage({
            ...{ title: 'Edit a message', current: '/messages' },
            body: <ButtonLink href={back} label="Show the message" />,
          }),
    )
  }
}

/** The version of what the form edits, without the status. */
function getVersion({ destination, text, sendAt }: Message): string {
  return createVersion([destination, text, sendAt])
}

/**
 * Finds the changes of a message's edit form. It shows no seconds, so an unchanged time is not a
 * change. An empty time means now.
 */
function findChanges(message: Message, form: MessageFormInput, now: number): Partial<MessageDraft> {
  const destination = form.destination.trim()
  const isSameTime =
    form.sendOn !== '' && form.sendOn === formatLocalTime(message.sendAt, form.zone)
  const sendAt = isSameTime ? undefined : (parseSendAt(form) ?? now)
  return {
    ...(destination === message.destination ? {} : { destination }),
    ...(form.message === normalizeLineBreaks(message.text) ? {} : { text: form.message }),
    ...(sendAt === undefined ? {} : { sendAt }),
  }
}

function showFreshPage(request: PageRequest, message: Message): PageResult {
  const { destination, text, sendAt } = message
  const local = readTimeZone(request)
  // An hour that the clocks repeat names no single time; UTC does.
  const isClear = parseLocalTime(formatLocalTime(sendAt, local), local).problem === undefined
  const zone = isClear ? local : 'UTC'
  const sendOn = formatLocalTime(sendAt, zone)
  const form = { destination, message: normalizeLineBreaks(text), sendOn, zone }
  return showEditPage(request, message, form)
}

function showEditPage(
  request: PageRequest,
  message: Message,
  form: MessageFormInput,
  errors?: MessageFormErrors,
): PageResult {
  const path = getMessagePath(message.id)
  const body = (
    <EditCard
      request={request}
      label="Message"
      path={`${path}/edit`}
      version={getVersion(message)}
      back={{ path, label: 'Cancel' }}
    >
      <MessageFields form={form} errors={errors} allowMany={false} detectZone={false} />
    </EditCard>
  )
  const status = errors === undefined ? 200 : 400
  const parent = { path, label: 'Message' }
  return showPage({ title: 'Edit a message', current: '/messages', parent, body, status })
}
