import type { Message } from '../../../domain/message/message.js'
import { isWaiting } from '../../../domain/message/message.js'
import { formatLocalTime } from '../../../domain/time/zoned-time.js'
import { isRelayError } from '../../../errors.js'
import type { AppParts } from '../../app.js'
import { param } from '../../http/exchange.js'
import type { MessageDraft, MessageService } from '../../services/messages/message-service.js'
import { Button, Form } from '../components/form.js'
import { h } from '../components/html.js'
import { type Answer, done, failed, type Pages, page, type Visit } from '../page/page.js'
import { MessageFields } from './message-fields.js'
import {
  errorsOf,
  type FormErrors,
  type MessageForm,
  messageForm,
  plainLines,
  sendAtOf,
} from './message-form.js'
import { messagePath } from './message-path.js'

/** Editing a message that waits (SPEC.md section 3). */
export function messageEditPages({ messages }: Pick<AppParts, 'messages'>): Pages {
  return {
    '/messages/:id/edit': {
      GET: async visit => {
        const message = await messages.get(visit.account, param(visit.request, 'id'))
        if (isWaiting(message)) return editPage(visit, message, formOf(message))
        return failed(messagePath(message.id), 'Only a new or error message can be edited.')
      },
      POST: async visit => await edit(visit, messages),
    },
  }
}

async function edit(visit: Visit, messages: MessageService): Promise<Answer> {
  const { account, request } = visit
  const message = await messages.get(account, param(request, 'id'))
  const form = messageForm(visit)
  const errors = errorsOf(form, account.country, 1)
  if (errors !== undefined) return editPage(visit, message, form, errors)
  const changes = changesOf(message, form, visit.now)
  const back = messagePath(message.id)
  if (Object.keys(changes).length === 0) return done(back, 'Nothing was changed.')
  try {
    const edited = await messages.edit(account, message.id, changes)
    if (edited?.status === 'B') return failed(back, 'The number is on the Do Not Text list.')
    return done(back, 'The message is changed.')
  } catch (error) {
    if (isRelayError(error, 'invalid_state')) return failed(back, error.message)
    throw error
  }
}

/**
 * Only what was changed: a form shows no seconds, and a time that was left alone must keep them; one that was taken
 * away is now.
 */
function changesOf(message: Message, form: MessageForm, now: number): Partial<MessageDraft> {
  const was = formOf(message)
  const isSameTime = form.sendOn === was.sendOn && form.zone === was.zone
  const sendAt = isSameTime ? undefined : (sendAtOf(form) ?? now)
  return {
    ...(form.destination.trim() === was.destination
      ? {}
      : { destination: form.destination.trim() }),
    ...(form.message === was.message ? {} : { text: form.message }),
    ...(sendAt === undefined ? {} : { sendAt }),
  }
}

function formOf({ destination, text, sendAt }: Message): MessageForm {
  const sendOn = formatLocalTime(sendAt, 'UTC')
  return { destination, message: plainLines(text), sendOn, zone: 'UTC' }
}

function editPage(visit: Visit, { id }: Message, form: MessageForm, errors?: FormErrors): Answer {
  const body = (
    <Form action={`${messagePath(id)}/edit`} csrf={visit.csrf}>
      <MessageFields form={form} errors={errors} many={false} ownZone={false} />
      <Button label="Save" /> <a href={messagePath(id)}>Leave it as it is</a>
    </Form>
  )
  const status = errors === undefined ? 200 : 400
  return page({ title: 'Edit a message', current: '/messages', body, status })
}
