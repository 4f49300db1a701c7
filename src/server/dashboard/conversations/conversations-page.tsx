// Conversations: the messages and received texts of one number in order, with a reply.
// 1. `load-conversations.ts` finds them: the list covers the latest messages and received texts; a
//    conversation searches those of its number.
// 2. This file shows the list, and next to it the open conversation with its form. On a narrow
//    screen, only one of the two is shown.
// 3. `conversation-head.tsx` names the person, `conversation-thread.tsx` draws the texts, and
//    `conversation-reply.tsx` is the form for a reply.
import { includesRole } from '../../../domain/account/person.js'
import type { Message } from '../../../domain/message/message.js'
import { isRelayError } from '../../../errors.js'
import { hashText } from '../../../util/crypto/secrets.js'
import { getParam } from '../../http/route.js'
import { explainAbsence } from '../attention/no-phone.js'
import { Empty } from '../components/card.js'
import { formKeyName } from '../components/form.js'
import { Fragment, type Html, h } from '../components/html.js'
import { parseMessageForm, parseSendAt, validateMessageForm } from '../messages/message-form.js'
import { conversationsPath, getConversationPath } from '../messages/message-path.js'
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
} from '../page/page.js'
import { readTimeZone } from '../page/page-times.js'
import { ThreadHead } from './conversation-head.js'
import { ConversationList, maxSearchLength } from './conversation-list.js'
import { createEmptyReply, OptedOutNotice, type Reply, ReplyForm } from './conversation-reply.js'
import { Thread } from './conversation-thread.js'
import {
  type ConversationContext,
  type ConversationEntry,
  isOptedOut,
  listConversations,
  loadConversation,
} from './load-conversations.js'

const path = conversationsPath

export function createConversationPages(context: ConversationContext): Pages {
  return {
    [path]: { GET: async request => await showConversations(request, context) },
    [`${path}/:number`]: {
      GET: async request =>
        await showConversations(request, context, { form: createEmptyReply(request) }),
      POST: asIdempotent(async request => await sendReply(request, context)),
    },
  }
}

async function sendReply(request: PageRequest, context: ConversationContext): Promise<PageResult> {
  const { account, http } = request
  const number = getParam(http, 'number')
  const form = { ...parseMessageForm(request), destination: number }
  const errors = validateMessageForm(form, account.country, 1)
  if (errors !== undefined) return await showConversations(request, context, { form, errors })
  const sendAt = parseSendAt(form)
  const draft = { destination: number, text: form.message, ...(sendAt && { sendAt }) }
  const key = `dashboard reply ${getField(request, formKeyName)} ${hashText(JSON.stringify(draft))}`
  const accepted = await tryToAccept(async () => {
    return await context.messages.accept(account, draft, 'website', key)
  })
  if ('error' in accepted)
    return await showConversations(request, context, { form, errors: { message: accepted.error } })
  const back = getConversationPath(number)
  if (accepted.status === 'B')
    return redirectWithError(back, `The reply is not sent: ${number} is on the Do Not Text list.`)
  const isLater = sendAt !== undefined && sendAt > request.now
  const absence = isLater ? '' : await explainAbsence(context.phones, account)
  const name = (await context.contacts.findNames(account, [number])).get(number)
  return redirectWithSuccess(
    back,
    `The reply to ${name ?? number} is ${isLater ? 'scheduled' : 'accepted'}.${absence}`,
  )
}

/** Accepts a reply, or gives the reason if a limit of the account does not allow it. */
async function tryToAccept(
  accept: () => Promise<Message>,
): Promise<Message | { readonly error: string }> {
  try {
    return await accept()
  } catch (error) {
    if (isRelayError(error, 'too_many_requests')) return { error: formatFormError(error) }
    throw error
  }
}

async function showConversations(
  request: PageRequest,
  context: ConversationContext,
  reply?: Reply,
): Promise<PageResult> {
  const words = getQueryField(request, 'q').trim().slice(0, maxSearchLength)
  const open = reply === undefined ? undefined : getParam(request.http, 'number')
  const [list, opened] = await Promise.all([
    listConversations(context, request.account, words),
    open === undefined ? undefined : openConversation(request, context, open),
  ])
  const body = (
    <>
      <ConversationList list={list} open={open} words={words} />
      {opened === undefined || reply === undefined ? (
        <NoneOpen isEmpty={list.entries.length === 0} />
      ) : (
        <Conversation request={request} opened={opened} reply={reply} />
      )}
    </>
  )
  const page = { current: path, body, isLive: true } as const
  if (opened === undefined) return showPage({ ...page, title: 'Conversations', shape: 'list' })
  const status = reply?.errors === undefined ? 200 : 400
  const title = `Conversation with ${opened.name ?? opened.number}`
  return showPage({ ...page, title, shape: 'thread', status })
}

function NoneOpen({ isEmpty }: { readonly isEmpty: boolean }): Html {
  return (
    <section class="thread unopened" aria-label="Conversation">
      <Empty icon="talk" title={isEmpty ? 'No conversations yet' : 'Choose a conversation'}>
        Received texts appear here, next to the messages sent to the same number.
      </Empty>
    </section>
  )
}

interface OpenConversation {
  readonly number: string
  readonly name: string | undefined
  readonly entries: readonly ConversationEntry[]
  readonly isListed: boolean
}

async function openConversation(
  { account }: PageRequest,
  context: ConversationContext,
  number: string,
): Promise<OpenConversation> {
  const [names, entries, isListed] = await Promise.all([
    context.contacts.findNames(account, [number]),
    loadConversation(context, account, number),
    isOptedOut(context, account, number),
  ])
  return { number, name: names.get(number), entries, isListed }
}

function Conversation(props: {
  readonly request: PageRequest
  readonly opened: OpenConversation
  readonly reply: Reply
}): Html {
  const { request, opened, reply } = props
  const { now, csrf } = request
  const { number, name, entries, isListed } = opened
  return (
    <section class="thread" aria-labelledby="with">
      <ThreadHead
        {...{ number, name, entries, csrf, isListed }}
        canAdd={includesRole(request.caller.role, 'sender')}
      />
      <section class="scroller" tabindex="0" aria-label={`Texts with ${number}`}>
        {entries.length === 0 ? (
          <p class="none">There is no text to or from this number yet.</p>
        ) : (
          <Thread entries={entries} now={now} zone={readTimeZone(request)} />
        )}
      </section>
      {isListed ? (
        <OptedOutNotice number={number} />
      ) : (
        /^\+?\d+$/.test(number) && <ReplyForm number={number} csrf={csrf} reply={reply} />
      )}
    </section>
  )
}
