import { allowsBulkAction, type BulkAction } from '../../../domain/message/bulk-action.js'
import type { Message, Status } from '../../../domain/message/message.js'
import type { ServerContext } from '../../http/server-context.js'
import type { BulkResult } from '../../services/messages/message-bulk-service.js'
import { isUnsent } from '../../services/messages/message-copies.js'
import { findMessageBatches } from '../../services/messages/message-search.js'
import { Card, CardBody } from '../components/card.js'
import { Actions, Button, ButtonLink, Form, formKeyName } from '../components/form.js'
import { type Child, Fragment, type Html, h } from '../components/html.js'
import { Notice } from '../components/notice.js'
import { buildLink } from '../components/pagination.js'
import { MessagePill } from '../components/pill.js'
import { Table } from '../components/table.js'
import { formatFormError } from '../page/field-errors.js'
import {
  asIdempotent,
  getField,
  type PageRequest,
  type PageResult,
  type Pages,
  redirectWithError,
  showPage,
} from '../page/page.js'
import { bulkPath, maxBulkMessages, selectionPrefix } from './bulk-bar.js'
import {
  bulkTexts,
  formatAllowed,
  formatCount,
  formatSkipped,
  isBulkAction,
  undoActions,
} from './bulk-texts.js'
import { parseListFields, QueryFields, toQuery, toSearch } from './message-list-query.js'
import { Recipient } from './message-rows.js'

type Context = Pick<ServerContext, 'messages' | 'messageBulk' | 'contacts'>

const runPath = `${bulkPath}/run`
const shownRows = 10
const parent = { path: '/messages', label: 'Messages' }

export function createBulkActionPages(context: Context): Pages {
  return {
    [bulkPath]: { POST: asIdempotent(async request => await confirmAction(request, context)) },
    [runPath]: { POST: asIdempotent(async request => await runAction(request, context)) },
  }
}

async function confirmAction(request: PageRequest, context: Context): Promise<PageResult> {
  const action = getField(request, 'do')
  const messages = await loadSelected(request, context)
  if (!isBulkAction(action) || messages.length === 0)
    return redirectWithError(getBackPath(request), 'Select at least one message.')
  const sentAgain = await findSentAgain(request, context, action, messages)
  const left = messages.filter(message => !sentAgain.has(message))
  const changing = left.filter(message => allowsBulkAction(action, message))
  const title = bulkTexts[action].name(formatCount(changing.length))
  const body = (
    <Card label={title}>
      <Summary action={action} messages={left} changing={changing} sentAgain={sentAgain.size} />
      {await renderFirst(request, context, changing.slice(0, shownRows))}
      <ActionForm request={request} action={action} ids={left.map(({ id }) => id)}>
        {changing.length > 0 && <Button label={title} variant="sure" />}
        <ButtonLink href={getBackPath(request)} label="Back to the messages" variant="bare" />
      </ActionForm>
    </Card>
  )
  return showPage({ title, current: '/messages', parent, body })
}

/**
 * Finds the failed messages whose latest copy was sent, or still can be. Of several with the same
 * failed copy, one can be sent again. Of cancelled messages, finds those that have a copy.
 */
async function findSentAgain(
  { account }: PageRequest,
  { messages }: Context,
  action: BulkAction,
  selected: readonly Message[],
): Promise<ReadonlySet<Message>> {
  if (action !== 'again' && action !== 'undelete') return new Set()
  const allowed = selected.filter(message => allowsBulkAction(action, message))
  const ids = allowed.map(({ id }) => id)
  const copies = await messages.findCopies(account, ids)
  if (action === 'undelete') return new Set(allowed.filter(({ id }) => copies.has(id)))
  const lastIds = new Set<string>()
  return new Set(
    allowed.filter(({ id }) => {
      const copy = copies.get(id)
      const lastId = copy?.id ?? id
      const isTaken = lastIds.has(lastId) || (copy !== undefined && !isUnsent(copy.message))
      lastIds.add(lastId)
      return isTaken
    }),
  )
}

async function renderFirst(
  { account, now }: PageRequest,
  { contacts }: Context,
  messages: readonly Message[],
): Promise<Html> {
  const numbers = messages.map(({ number }) => number)
  const names = await contacts.findNames(account, numbers)
  return (
    <Table
      caption={`The first ${shownRows} messages`}
      head={['To', 'Text', 'State']}
      rows={messages.map(message => [
        <Recipient message={message} name={names.get(message.number)} />,
        <span class="text" dir="auto">
          {message.text}
        </span>,
        <MessagePill message={message} now={now} />,
      ])}
      empty="Nothing will change."
    />
  )
}

function Summary(props: {
  readonly action: BulkAction
  readonly messages: readonly Message[]
  readonly changing: readonly Message[]
  /** Number of failed messages that are left out. */
  readonly sentAgain: number
}): Html {
  const { action, messages, changing, sentAgain } = props
  const staying = new Map<Status, number>()
  for (const message of messages) {
    if (!allowsBulkAction(action, message))
      staying.set(message.status, (staying.get(message.status) ?? 0) + 1)
  }
  const count = messages.length + sentAgain
  return (
    <CardBody>
      <p>{`${changing.length} of ${formatCount(count)} will be ${bulkTexts[action].done}.`}</p>
      {changing.length > 0 && <p>{bulkTexts[action].consequence}</p>}
      {sentAgain > 0 && <p>{formatSentAgain(sentAgain)}</p>}
      {staying.size > 0 && (
        <p>{`Unchanged: ${formatSkipped(staying)}. ${formatAllowed(action)}`}</p>
      )}
      {count === maxBulkMessages && (
        <p>{`One action changes at most ${maxBulkMessages} messages. Repeat it for the others.`}</p>
      )}
    </CardBody>
  )
}

function formatSentAgain(count: number): string {
  return (
    `Left out: ${count} already sent again. To send one of them once more, open it: its page ` +
    'has a link to the later message.'
  )
}

async function runAction(request: PageRequest, { messageBulk }: Context): Promise<PageResult> {
  const action = getField(request, 'do')
  const ids = getField(request, 'ids').split(' ').filter(Boolean).slice(0, maxBulkMessages)
  if (!isBulkAction(action) || ids.length === 0)
    return redirectWithError(getBackPath(request), 'Select at least one message.')
  const key = getField(request, formKeyName)
  const result = await messageBulk.run(request.account, ids, action, key)
  const { done, refused } = result
  const title = `${done.length} of ${formatCount(ids.length)} ${bulkTexts[action].done}`
  const undo = undoActions[action]
  const next = refused.length > 0 ? refused : done
  const body = (
    <>
      <Notice kind={done.length === ids.length ? 'done' : 'warning'} title={title}>
        {explainOthers(action, result)}
      </Notice>
      <Card label="Next">
        <ActionForm request={request} action={undo ?? action} ids={next}>
          <ButtonLink href={getBackPath(request)} label="Back to the messages" />
          {refused.length > 0 && <Button label={formatRest(refused.length)} />}
          {undo !== undefined && done.length > 0 && (
            <Button label={`Undo: ${bulkTexts[undo].name(formatCount(done.length))}`} />
          )}
        </ActionForm>
      </Card>
    </>
  )
  return showPage({ title, current: '/messages', parent, body })
}

function formatRest(count: number): string {
  return `Send the other ${formatCount(count)} again`
}

/** Why the other messages did not change. */
function explainOthers(action: BulkAction, result: BulkResult): string {
  const { skipped, missing, blocked, sentAgain, refused, limit } = result
  const reasons = [
    limit !== undefined && `Not sent again: ${refused.length}. ${formatFormError(limit)}`,
    sentAgain > 0 && formatSentAgain(sentAgain),
    skipped.size > 0 && `Unchanged: ${formatSkipped(skipped)}. ${formatAllowed(action)}`,
    blocked > 0 && `${blocked} blocked: the number is on the Do Not Text list.`,
    missing > 0 && `${missing} deleted in the meantime.`,
  ]
  const found = reasons.filter(reason => reason !== false)
  return found.length === 0 ? bulkTexts[action].consequence : found.join(' ')
}

function ActionForm(props: {
  readonly request: PageRequest
  readonly action: BulkAction
  readonly ids: readonly string[]
  readonly children?: Child
}): Html {
  const { request, action, ids } = props
  return (
    <Form action={runPath} csrf={request.csrf}>
      <input type="hidden" name="do" value={action} />
      <input type="hidden" name="ids" value={ids.join(' ')} />
      <QueryFields query={parseListFields(request)} />
      <Actions>{props.children}</Actions>
    </Form>
  )
}

async function loadSelected(
  request: PageRequest,
  { messages, messageBulk }: Context,
): Promise<readonly Message[]> {
  const { account, fields } = request
  if (getField(request, 'all') === '') {
    const names = Object.keys(fields).filter(name => name.startsWith(selectionPrefix))
    const ids = names.map(name => name.slice(selectionPrefix.length)).slice(0, maxBulkMessages)
    return await messageBulk.find(account, ids)
  }
  const found: Message[] = []
  for await (const batch of findMessageBatches(
    messages,
    account,
    toSearch(parseListFields(request), request),
  )) {
    found.push(...batch)
    if (found.length >= maxBulkMessages) return found.slice(0, maxBulkMessages)
  }
  return found
}

function getBackPath(request: PageRequest): string {
  return buildLink('/messages', toQuery(parseListFields(request), 0))
}
