import type { Account } from '../../../domain/account/account.js'
import type { Message } from '../../../domain/message/message.js'
import { canonicalNumber } from '../../../domain/sms/phone-number.js'
import { RelayError } from '../../../errors.js'
import { digest, randomSecret } from '../../../util/crypto/secrets.js'
import type { AppParts } from '../../app.js'
import type { MessageDraft, MessageService } from '../../services/messages/message-service.js'
import { Button, Form } from '../components/form.js'
import { type Html, h } from '../components/html.js'
import type { Visit } from '../page/page.js'
import {
  type Answer,
  done,
  failed,
  field,
  type Pages,
  page,
  part,
  queryField,
} from '../page/page.js'
import { MessageFields, TextLength } from './message-fields.js'
import {
  destinationsOf,
  errorsOf,
  type FormErrors,
  type MessageForm,
  messageForm,
  plainLines,
  sendAtOf,
} from './message-form.js'
import { messagePath } from './message-path.js'

const mostAtOnce = 500
const path = '/send'

/** Send a Message: one text to one or many numbers (SPEC.md section 2.2, source `website`). */
export function sendPages({ messages }: Pick<AppParts, 'messages'>): Pages {
  return {
    [path]: {
      GET: async visit => sendPage(visit, await firstForm(visit, messages)),
      POST: async visit => await send(visit, messages),
    },
    '/send/length': {
      POST: async visit => part(TextLength({ text: plainLines(field(visit, 'message')) })),
    },
  }
}

const empty: MessageForm = { destination: '', message: '', sendOn: '', zone: 'UTC' }

/** An empty form, or what a message was that is to be sent again. */
async function firstForm(visit: Visit, messages: MessageService): Promise<MessageForm> {
  const again = queryField(visit, 'again')
  if (again === '') return empty
  const { destination, text } = await messages.getKept(visit.account, again)
  return { ...empty, destination, message: text }
}

async function send(visit: Visit, messages: MessageService): Promise<Answer> {
  const form = messageForm(visit)
  const key = field(visit, 'key')
  if (!/^[\w-]{16,64}$/.test(key))
    throw new RelayError('invalid_request', 'The form is incomplete; load the page again.')
  const errors = errorsOf(form, visit.account.country, mostAtOnce)
  if (errors !== undefined) return sendPage(visit, form, { errors, key })
  const accepted = await Promise.all(
    draftsOf(form, visit.account).map(async draft => {
      const sameOnce = `dashboard ${key} ${digest(JSON.stringify(draft))}`
      return await messages.accept(visit.account, draft, 'website', sameOnce)
    }),
  )
  return accepted.length === 1 ? oneAccepted(accepted[0] as Message) : allAccepted(accepted)
}

/** A number that is there twice gets the text once. */
function draftsOf(form: MessageForm, { country }: Account): MessageDraft[] {
  const sendAt = sendAtOf(form)
  const numbers = new Map(
    destinationsOf(form).map(number => [canonicalNumber(number, country), number]),
  )
  return [...numbers.values()].map(destination => ({
    ...{ destination, text: form.message },
    ...(sendAt === undefined ? {} : { sendAt }),
  }))
}

const listed = 'on the Do Not Text list, and not sent to'

function oneAccepted({ id, status, destination }: Message): Answer {
  if (status === 'B') return failed(messagePath(id), `${destination} is ${listed}.`)
  return done(messagePath(id), `The message to ${destination} is accepted.`)
}

function allAccepted(messages: readonly Message[]): Answer {
  const blocked = messages.filter(({ status }) => status === 'B').length
  const also = blocked === 0 ? '' : ` ${blocked} of the numbers: ${listed}.`
  return done('/messages', `${messages.length - blocked} messages are accepted.${also}`)
}

interface Again {
  readonly errors: FormErrors
  readonly key: string
}

function sendPage({ csrf }: Visit, form: MessageForm, again?: Again): Answer {
  const body = <SendForm csrf={csrf} form={form} again={again} />
  const status = again === undefined ? 200 : 400
  return page({ title: 'Send a message', current: path, body, status })
}

function SendForm(props: { csrf: string; form: MessageForm; again: Again | undefined }): Html {
  const { csrf, form, again } = props
  return (
    <Form action={path} csrf={csrf}>
      <input type="hidden" name="key" value={again?.key ?? randomSecret()} />
      <MessageFields form={form} errors={again?.errors} many ownZone={again === undefined} />
      <Button label="Send" /> <a href="/send/many">Send many, from a table</a>
    </Form>
  )
}
