import type { Account } from '../../../domain/account/account.js'
import type { Message } from '../../../domain/message/message.js'
import { toCanonicalNumber } from '../../../domain/sms/phone-number.js'
import { RelayError } from '../../../errors.js'
import { createSecret, hashText } from '../../../util/crypto/secrets.js'
import type { ServerContext } from '../../http/server-context.js'
import type { MessageDraft, MessageService } from '../../services/messages/message-service.js'
import { Button, Form } from '../components/form.js'
import { type Html, h } from '../components/html.js'
import type { PageRequest } from '../page/page.js'
import {
  getField,
  getQueryField,
  type PageResult,
  type Pages,
  redirectWithError,
  redirectWithSuccess,
  showPage,
  showPartial,
} from '../page/page.js'
import { MessageFields, TextLength } from './message-fields.js'
import {
  type MessageFormErrors,
  type MessageFormInput,
  normalizeLineBreaks,
  parseDestinations,
  parseMessageForm,
  parseSendAt,
  validateMessageForm,
} from './message-form.js'
import { getMessagePath } from './message-path.js'

const maxNumbers = 500
const path = '/send'

/** Send a Message: one text to one or many numbers (SPEC.md section 2.2, source `website`). */
export function createSendPages({ messages }: Pick<ServerContext, 'messages'>): Pages {
  return {
    [path]: {
      GET: async request => showSendPage(request, await loadFirstForm(request, messages)),
      POST: async request => await sendMessages(request, messages),
    },
    '/send/length': {
      POST: async request =>
        showPartial(TextLength({ text: normalizeLineBreaks(getField(request, 'message')) })),
    },
  }
}

const emptyForm: MessageFormInput = { destination: '', message: '', sendOn: '', zone: 'UTC' }

/** An empty form, or what a message was that is to be sent again. */
async function loadFirstForm(
  request: PageRequest,
  messages: MessageService,
): Promise<MessageFormInput> {
  const again = getQueryField(request, 'again')
  if (again === '') return emptyForm
  const { destination, text } = await messages.getIncludingDeleted(request.account, again)
  return { ...emptyForm, destination, message: text }
}

async function sendMessages(request: PageRequest, messages: MessageService): Promise<PageResult> {
  const form = parseMessageForm(request)
  const key = getField(request, 'key')
  if (!/^[\w-]{16,64}$/.test(key))
    throw new RelayError('invalid_request', 'The form is incomplete; load the page again.')
  const errors = validateMessageForm(form, request.account.country, maxNumbers)
  if (errors !== undefined) return showSendPage(request, form, { errors, key })
  const accepted = await Promise.all(
    createDrafts(form, request.account).map(async draft => {
      const sameOnce = `dashboard ${key} ${hashText(JSON.stringify(draft))}`
      return await messages.accept(request.account, draft, 'website', sameOnce)
    }),
  )
  return accepted.length === 1 ? showOneAccepted(accepted[0] as Message) : showAllAccepted(accepted)
}

/** A number that is there twice gets the text once. */
function createDrafts(form: MessageFormInput, { country }: Account): MessageDraft[] {
  const sendAt = parseSendAt(form)
  const numbers = new Map(
    parseDestinations(form).map(number => [toCanonicalNumber(number, country), number]),
  )
  return [...numbers.values()].map(destination => ({
    ...{ destination, text: form.message },
    ...(sendAt === undefined ? {} : { sendAt }),
  }))
}

const listedText = 'on the Do Not Text list, and not sent to'

function showOneAccepted({ id, status, destination }: Message): PageResult {
  if (status === 'B')
    return redirectWithError(getMessagePath(id), `${destination} is ${listedText}.`)
  return redirectWithSuccess(getMessagePath(id), `The message to ${destination} is accepted.`)
}

function showAllAccepted(messages: readonly Message[]): PageResult {
  const blocked = messages.filter(({ status }) => status === 'B').length
  const also = blocked === 0 ? '' : ` ${blocked} of the numbers: ${listedText}.`
  return redirectWithSuccess(
    '/messages',
    `${messages.length - blocked} messages are accepted.${also}`,
  )
}

interface RejectedForm {
  readonly errors: MessageFormErrors
  readonly key: string
}

function showSendPage(
  { csrf }: PageRequest,
  form: MessageFormInput,
  again?: RejectedForm,
): PageResult {
  const body = <SendForm csrf={csrf} form={form} again={again} />
  const status = again === undefined ? 200 : 400
  return showPage({ title: 'Send a message', current: path, body, status })
}

function SendForm(props: {
  csrf: string
  form: MessageFormInput
  again: RejectedForm | undefined
}): Html {
  const { csrf, form, again } = props
  return (
    <Form action={path} csrf={csrf}>
      <input type="hidden" name="key" value={again?.key ?? createSecret()} />
      <MessageFields form={form} errors={again?.errors} many detectZone={again === undefined} />
      <Button label="Send" /> <a href="/send/many">Send many, from a table</a>
    </Form>
  )
}
