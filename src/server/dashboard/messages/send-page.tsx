import type { Account } from '../../../domain/account/account.js'
import type { Message } from '../../../domain/message/message.js'
import { toCanonicalNumber } from '../../../domain/sms/phone-number.js'
import { isRelayError, type RelayError } from '../../../errors.js'
import { hashText } from '../../../util/crypto/secrets.js'
import { pluralize } from '../../../util/text/plural.js'
import type { ServerContext } from '../../http/server-context.js'
import type { KeyedDraft, MessageDraft } from '../../services/messages/message-composer.js'
import type { MessageService } from '../../services/messages/message-service.js'
import { explainAbsence } from '../attention/no-phone.js'
import { Card } from '../components/card.js'
import { Actions, Button, Form, formKeyName } from '../components/form.js'
import { Fragment, type Html, h } from '../components/html.js'
import { formatFormError } from '../page/field-errors.js'
import {
  asIdempotent,
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
import {
  isRepeated,
  type LoadedRepeat,
  loadRepeat,
  parseRepeat,
  type Repeat,
  RepeatField,
  RepeatNotice,
} from './send-again.js'

const maxNumbers = 500
const path = '/send'

type SendContext = Pick<ServerContext, 'messages' | 'phones'>

/** The messages have the source `website` (docs/reference/interface.md 2.2). */
export function createSendPages({ messages, phones }: SendContext): Pages {
  return {
    [path]: {
      GET: async request => await showFirstForm(request, messages),
      POST: asIdempotent(async request => await sendMessages(request, { messages, phones })),
    },
    '/send/length': {
      POST: async request =>
        showPartial(TextLength({ text: normalizeLineBreaks(getField(request, 'message')) })),
    },
  }
}

interface SendInput extends MessageFormInput {
  readonly repeat: Repeat | undefined
}

interface SendPageState {
  readonly errors?: MessageFormErrors
  readonly state?: LoadedRepeat['state']
}

async function showFirstForm(request: PageRequest, messages: MessageService): Promise<PageResult> {
  const { account } = request
  const emptyForm = { destination: '', message: '', sendOn: '', zone: account.timeZone ?? '' }
  const id = getQueryField(request, 'again')
  if (id === '') return showSendPage(request, { ...emptyForm, repeat: undefined })
  const { repeat, state } = await loadRepeat(request, messages, id)
  const { destination, text } = state.message
  return showSendPage(request, { ...emptyForm, destination, message: text, repeat }, { state })
}

async function sendMessages(
  request: PageRequest,
  { messages, phones }: SendContext,
): Promise<PageResult> {
  const { account } = request
  const form = { ...parseMessageForm(request), repeat: parseRepeat(request) }
  const errors = validateMessageForm(form, account.country, maxNumbers)
  if (errors !== undefined) return showSendPage(request, form, { errors })
  const drafts = createKeyedDrafts(request, form)
  if (form.repeat !== undefined) {
    // The other numbers get nothing if the message was sent again in the meantime.
    const [first] = await messages.acceptAll(account, drafts.slice(0, 1), 'website')
    const isRestored = isRelayError(first?.error, 'precondition_failed')
    if (isRestored || isRelayError(first?.error, 'invalid_request')) {
      const { repeat, state } = await loadRepeat(request, messages, form.repeat.id, true)
      return showSendPage(request, { ...form, repeat }, { state })
    }
  }
  const results = await messages.acceptAll(account, drafts, 'website')
  const accepted = results.flatMap(({ message }) => message ?? [])
  const error = results.find(each => each.error !== undefined)?.error
  if (error !== undefined) return showRefused(request, form, { accepted: accepted.length, error })
  if (accepted.length === 1) return showOneAccepted(accepted[0] as Message)
  const isLater = (parseSendAt(form) ?? 0) > request.now
  return showAllAccepted(accepted, isLater ? '' : await explainAbsence(phones, account))
}

function createKeyedDrafts(request: PageRequest, form: SendInput): KeyedDraft[] {
  const key = getField(request, formKeyName)
  const { repeat } = form
  const again = repeat && { again: repeat.id, onlyUnsent: repeat.wasUnsent }
  return createDrafts(form, request.account).map((draft, at) => ({
    ...{ ...draft, key: `dashboard ${key} ${hashText(JSON.stringify(draft))}` },
    ...(at === 0 && again),
  }))
}

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
  form: SendInput,
  { accepted, error }: { readonly accepted: number; readonly error: RelayError },
): PageResult {
  if (!isRelayError(error, 'too_many_requests')) throw error
  const reason = formatFormError(error)
  if (accepted === 0) return showSendPage(request, form, { errors: { message: reason } })
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

function showAllAccepted(messages: readonly Message[], absence: string): PageResult {
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
  return redirectWithSuccess('/messages', text + absence)
}

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
  form: SendInput,
  { errors, state }: SendPageState = {},
): PageResult {
  const label = state !== undefined && isRepeated(state) ? 'Send once more' : 'Send'
  const body = (
    <>
      {state !== undefined && <RepeatNotice state={state} />}
      <Card label="New message">
        <SendTabs current={path} />
        <Form action={path} csrf={csrf}>
          <RepeatField repeat={form.repeat} />
          <MessageFields form={form} errors={errors} allowMany detectZone={form.zone === ''} />
          <Actions>
            <Button label={label} icon="send" />
          </Actions>
        </Form>
      </Card>
    </>
  )
  const status = state?.isLate === true ? 409 : errors === undefined ? 200 : 400
  return showPage({ title: 'New message', current: path, body, status })
}
