// Bulk send: one text to each row of a table.
// 1. The first POST checks the form: `bulk-form.ts` reads the table (`page/table-upload.tsx`)
//    and its rows, and redirects to a page (`forms/form-guard.ts`) where `bulk-preview.tsx` shows
//    the totals, the invalid rows and the first messages.
// 2. The second POST sends the same form. `checkOrSend` compares its hash with the one that was
//    checked; a form that has changed, or is older than a day, is checked again.
// 3. `bulk-accept.ts` accepts the messages, each with an idempotency key of the form and the
//    row, so that nothing is sent twice.
import type { BulkRow } from '../../../domain/bulk/bulk-table.js'
import { pluralize } from '../../../util/text/plural.js'
import type { ServerContext } from '../../http/server-context.js'
import { Card } from '../components/card.js'
import { Actions, Button, batchFieldName, Form } from '../components/form.js'
import { Beside, Checkbox, TextArea } from '../components/form-fields.js'
import { Fragment, type Html, h } from '../components/html.js'
import { LocalTimeFields } from '../components/local-time-fields.js'
import { Notice } from '../components/notice.js'
import { SendTabs } from '../messages/send-page.js'
import { type FieldErrors, toFieldErrors } from '../page/field-errors.js'
import {
  getField,
  type PageRequest,
  type PageResult,
  type Pages,
  redirectWithSuccess,
  showPage,
  withFileUpload,
} from '../page/page.js'
import { maxTableFormBytes, readTable, TableFields } from '../page/table-upload.js'
import { acceptRows, type BulkResult } from './bulk-accept.js'
import {
  type BulkFormInput,
  createBulkKey,
  hashBulkForm,
  isExpiredKey,
  maxRows,
  parseBulkForm,
  readRows,
} from './bulk-form.js'
import { BulkPreview, RejectedRows } from './bulk-preview.js'

type Context = Pick<ServerContext, 'messages' | 'doNotText'>

const path = '/send/many'
const title = 'Send from a table'

export function createBulkPages(context: Context): Pages {
  return {
    [path]: {
      GET: async request => showFormPage(request, { form: createEmptyForm(request) }),
      POST: withFileUpload(maxTableFormBytes, async request => await checkOrSend(request, context)),
    },
  }
}

function createEmptyForm({ now }: PageRequest): BulkFormInput {
  return { table: '', text: '', sendOn: '', zone: 'UTC', key: createBulkKey(now) }
}

async function checkOrSend(request: PageRequest, context: Context): Promise<PageResult> {
  let form = parseBulkForm(request, getField(request, 'table'))
  try {
    form = { ...form, table: await readTable(request) }
    const rows = await readRows(form, request.account)
    const valid = rows.filter(row => row.problems.length === 0)
    const isSend = getField(request, 'do') === 'send'
    const isExpired = isExpiredKey(form.key, request.now)
    const isChecked = getField(request, 'checked') === hashBulkForm(form) && !isExpired
    const skipInvalid = getField(request, 'leave_out') === 'true' || valid.length === rows.length
    if (isSend && isChecked && skipInvalid && valid.length > 0) {
      const result = await acceptRows(context.messages, request.account, valid, form.key)
      return showResultPage(request, form, result)
    }
    if (isExpired) form = { ...form, key: createBulkKey(request.now) }
    const error = isSend ? explainNotSent(isExpired, isChecked) : undefined
    const blocked = await countBlocked(request, context, valid)
    return showFormPage(request, { form, rows, error, blocked })
  } catch (error) {
    return showFormPage(request, { form, errors: toFieldErrors(error) })
  }
}

function explainNotSent(isExpired: boolean, isChecked: boolean): string {
  if (isExpired)
    return (
      'Nothing was sent: the form is older than a day. ' +
      'Check the list of messages, in case the form was already sent.'
    )
  return isChecked
    ? 'Nothing was sent: some rows are invalid. Correct them or skip them.'
    : 'Nothing was sent: the form has changed. Check it and send it again.'
}

async function countBlocked(
  { account }: PageRequest,
  { doNotText }: Context,
  rows: readonly BulkRow[],
): Promise<number> {
  const destinations = [...new Set(rows.map(({ draft }) => draft.destination))]
  const lists = await Promise.all(
    [account.id, '*'].map(scope =>
      doNotText.findListed({ scope, country: account.country }, destinations),
    ),
  )
  const numbers = new Set(lists.flat().map(({ number }) => number))
  return rows.filter(({ draft }) => numbers.has(draft.destination)).length
}

function showResultPage(
  request: PageRequest,
  form: BulkFormInput,
  { accepted, rejected }: BulkResult,
): PageResult {
  const blocked = accepted.filter(({ status }) => status === 'B').length
  const sent = `${pluralize(accepted.length - blocked, 'message')} accepted.`
  const skipped = ` ${blocked} not sent: their numbers are on the Do Not Text list.`
  const summary = blocked === 0 ? sent : sent + skipped
  if (rejected.length === 0) return redirectWithSuccess('/messages', summary)
  const body = (
    <>
      <Notice kind="failed">
        {`${summary} ${rejected.length} rejected. To send these, send the form again. `}
        No message is sent twice.
      </Notice>
      <Card title="Rejected rows">
        <RejectedRows rejected={rejected} />
      </Card>
      <BulkFormFields request={request} state={{ form }} isChecked />
    </>
  )
  return showPage({ title, current: '/send', body, status: 503 })
}

interface BulkPageState {
  readonly form: BulkFormInput
  readonly rows?: readonly BulkRow[]
  readonly blocked?: number
  readonly error?: string | undefined
  readonly errors?: FieldErrors
}

function showFormPage(request: PageRequest, state: BulkPageState): PageResult {
  const { rows, errors, blocked = 0 } = state
  const error = state.error ?? errors?.['']
  const body = (
    <>
      {error !== undefined && <Notice kind="failed">{error}</Notice>}
      {rows !== undefined && <BulkPreview rows={rows} blocked={blocked} />}
      <BulkFormFields request={request} state={state} isChecked={rows !== undefined} />
    </>
  )
  const status = errors === undefined && error === undefined ? 200 : 400
  return showPage({ title, current: '/send', body, status })
}

interface BulkFormFieldsProps {
  readonly request: PageRequest
  readonly state: BulkPageState
  readonly isChecked: boolean
}

function BulkFormFields({ request, state, isChecked }: BulkFormFieldsProps): Html {
  const { form, rows = [], errors } = state
  const valid = rows.filter(row => row.problems.length === 0).length
  const canSend = isChecked && (rows.length === 0 || valid > 0)
  return (
    <Card label={title}>
      {!isChecked && <SendTabs current={path} />}
      <Form action={path} csrf={request.csrf} files label={title}>
        <input type="hidden" name={batchFieldName} value={form.key} />
        {isChecked && <input type="hidden" name="checked" value={hashBulkForm(form)} />}
        {canSend && <SendButton request={request} rows={rows} valid={valid} />}
        {isChecked && <h2>Table</h2>}
        <TableFields table={form.table} hint={tableHint} error={errors?.file} />
        <TextArea label={textLabel} name="text" value={form.text} rows={3} hint={textHint} />
        <TimeFields form={form} errors={errors} isFirst={!isChecked && errors === undefined} />
        <Actions>
          <Button
            label={isChecked ? 'Check again' : 'Check'}
            name="do"
            value="check"
            variant={isChecked ? 'secondary' : 'primary'}
          />
        </Actions>
      </Form>
    </Card>
  )
}

function TimeFields(props: {
  readonly form: BulkFormInput
  readonly errors: FieldErrors | undefined
  readonly isFirst: boolean
}): Html {
  const { form, errors, isFirst } = props
  return (
    <Beside>
      <LocalTimeFields
        label="Send on"
        name="send_on"
        value={form.sendOn}
        hint="Leave it empty to send at once. Times in the table are UTC."
        error={errors?.send_on}
        zone={form.zone}
        detectZone={isFirst}
      />
    </Beside>
  )
}

const tableHint =
  'The first line names the columns: number, message and, if needed, send_on and the columns ' +
  `that the text below uses. At most ${maxRows} rows.`
const textLabel = 'Text for all rows'
const textHint =
  '{column} inserts a column; {column|else} has a text for empty cells. Leave it empty if the ' +
  'table has a column message.'

interface SendButtonProps {
  readonly request: PageRequest
  readonly rows: readonly BulkRow[]
  readonly valid: number
}

/**
 * The button of the bulk page. Without rows, it sends the form again after some rows were rejected.
 */
function SendButton({ request, rows, valid }: SendButtonProps): Html {
  return (
    <Actions>
      {valid < rows.length && (
        <Checkbox
          label="Skip invalid rows"
          name="leave_out"
          checked={getField(request, 'leave_out') === 'true'}
        />
      )}
      <Button
        label={rows.length === 0 ? 'Send' : `Send ${pluralize(valid, 'message')}`}
        name="do"
        value="send"
        icon="send"
      />
    </Actions>
  )
}
