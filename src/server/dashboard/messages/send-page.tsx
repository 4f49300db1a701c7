import type { Account } from '../../../domain/account/account.js'
import type { Message } from '../../../domain/message/message.js'
import { toCanonicalNumber } from '../../../domain/sms/phone-number.js'
import { isRelayError, type RelayError } from '../../../errors.js'
import { hashText } from '../../../util/crypto/secrets.js'
import { pluralize } from '../../../util/text/plural.js'
import type { ServerContext } from '../../http/server-context.js'
import type { MessageDraft } from '../../services/messages/message-composer.js'
import type { MessageService } from '../../services/messages/message-service.js'
import { Card } from '../components/card.js'
import { Actions, Button, Form, formKeyName } from '../components/form.js'
import { type Html, h } from '../components/html.js'
import { formatFormError } from '../page/field-errors.js'
import {
  getField,
  getQueryField,
  type PageRequest,
  type PageResult,
  type Pages,
  redirectWithError,
  redirectWithSuccess,
  showPage,
  showPartial,
} from '../page/page.js'
import {
  MessageFields,
  type MessageFormErrors,
  type MessageFormInput,
  normalizeLineBreaks,
  parseDestinations,
  parseMessageForm,
  parseSendAt,
  TextLength,
  validateMessageForm,
} from './message-form.js'
import { getMessagePath } from './message-path.js'

const maxNumbers = 500
const path = '/send'

/** The messages have the source `website` (docs/reference/interface.md 2.2). */
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

/** With `again`, the form has the number and text of that message. */
async function loadFirstForm(
  request: PageRequest,
  messages: MessageService,
): Promise<MessageFormInput> {
  const zone = request.account.timeZone ?? ''
  const emptyForm = { destination: '', message: '', sendOn: '', zone }
  const again = getQueryField(request, 'again')
  if (again === '') return emptyForm
  const { destination, text } = await messages.getIncludingDeleted(request.account, again)
  return { ...emptyForm, destination, message: text }
}

async function sendMessages(request: PageRequest, messages: MessageService): Promise<PageResult> {
  const form = parseMessageForm(request)
  const key = getField(request, formKeyName)
  const errors = validateMessageForm(form, request.account.country, maxNumbers)
  if (errors !== undefined) return showSendPage(request, form, errors)
  const drafts = createDrafts(form, request.account).map(draft => {
    return { ...draft, key: `dashboard ${key} ${hashText(JSON.stringify(draft))}` }
  })
  const results = await messages.acceptAll(request.account, drafts, 'website')
  const accepted = results.flatMap(({ message }) => message ?? [])
  const error = results.find(each => each.error !== undefined)?.error
  if (error !== undefined) return showRefused(request, form, { accepted: accepted.length, error })
  return accepted.length === 1 ? showOneAccepted(accepted[0] as Message) : showAllAccepted(accepted)
}

/** Makes the messages of the send form; a number that is given twice gets one message. */
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

/** A form of which a message is accepted is not shown again, so that it is not sent twice. */
function showRefused(
  request: PageRequest,
  form: MessageFormInput,
  { accepted, error }: { readonly accepted: number; readonly error: RelayError },
): PageResult {
  if (!isRelayError(error, 'too_many_requests')) throw error
  const reason = formatFormError(error)
  if (accepted === 0) return showSendPage(request, form, { message: reason })
  const text = `Only the first ${pluralize(accepted, 'message')} can be sent now. ${reason}`
  return redirectWithError('/messages', text)
}

function showOneAccepted({ id, status, destination }: Message): PageResult {
  if (status === 'B')
    return redirectWithError(
      getMessagePath(id),
      `The message is not sent: ${destination} is on the Do Not Text list.`,
    )
  return redirectWithSuccess(getMessagePath(id), `The message to ${destination} is accepted.`)
}

function showAllAccepted(messages: readonly Message[]): PageResult {
  const blocked = messages.filter(({ status }) => status === 'B').length
  const accepted = messages.length - blocked
  const blockedText =
    blocked === 1
      ? '1 is not sent: its number is on the Do Not Text list.'
      : `${blocked} are not sent: their numbers are on the Do Not Text list.`
  if (accepted === 0) {
    return redirectWithError('/messages', `No message is accepted. ${blockedText}`)
  }
  const verb = accepted === 1 ? 'is' : 'are'
  const acceptedText = `${pluralize(accepted, 'message')} ${verb} accepted.`
  const text = blocked === 0 ? acceptedText : `${acceptedText} ${blockedText}`
  return redirectWithSuccess('/messages', text)
}

/** The ways to send on the dashboard. */
export function SendTabs({ current }: { readonly current: string }): Html {
  const tabs = [
    [path, 'To one or more numbers'],
    [`${path}/contacts`, 'To contacts'],
    [`${path}/many`, 'From a table'],
  ] as const
  return (
    <nav class="tabs" aria-label="Ways to send">
      {tabs.map(([href, label]) => (
        <a href={href} aria-current={href === current ? 'page' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  )
}

function showSendPage(
  { csrf }: PageRequest,
  form: MessageFormInput,
  errors?: MessageFormErrors,
): PageResult {
  const body = (
    <Card label="New message">
      <SendTabs current={path} />
      <SendForm csrf={csrf} form={form} errors={errors} />
    </Card>
  )
  const status = errors === undefined ? 200 : 400
  return showPage({ title: 'New message', current: path, body, status })
}

function SendForm(props: {
  csrf: string
  form: MessageFormInput
  errors: MessageFormErrors | undefined
}): Html {
  const { csrf, form, errors } = props
  return (
    <Form action={path} csrf={csrf}>
      <MessageFields form={form} errors={errors} allowMany detectZone={form.zone === ''} />
      <Actions>
        <Button label="Send" icon="send" />
      </Actions>
    </Form>
  )
}
