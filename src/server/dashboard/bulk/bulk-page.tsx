import type { BulkRow } from '../../../domain/bulk/bulk-table.js'
import type { ServerContext } from '../../http/server-context.js'
import { Button, Form } from '../components/form.js'
import { Checkbox, TextArea } from '../components/form-fields.js'
import { Fragment, h } from '../components/html.js'
import { LocalTimeFields } from '../components/local-time-fields.js'
import { Notice } from '../components/notice.js'
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

/** Sending a text to each row of a table: first a look at what would be sent, then the same form again to send it. */
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

/** Nothing is sent but what was looked at: a form that was changed since, or is too old, is shown once more. */
async function checkOrSend(request: PageRequest, context: Context): Promise<PageResult> {
  let form = parseBulkForm(request, getField(request, 'table'))
  try {
    form = { ...form, table: await readTable(request) }
    const rows = await readRows(form, request.account)
    const isOld = isExpiredKey(form.key, request.now)
    const isSeen = getField(request, 'checked') === hashBulkForm(form) && !isOld
    const good = rows.filter(row => row.problems.length === 0)
    const mayLeaveOut = getField(request, 'leave_out') === 'true' || good.length === rows.length
    const isWanted = getField(request, 'do') === 'send'
    if (isWanted && isSeen && mayLeaveOut && good.length > 0) {
      return showResultPage(
        request,
        form,
        await acceptRows(context.messages, request.account, good, form.key),
      )
    }
    const fresh = isOld ? { ...form, key: createBulkKey(request.now) } : form
    const why = isWanted ? explainNotSent(isOld, isSeen) : undefined
    return showFormPage(request, {
      form: fresh,
      rows,
      why,
      blocked: await countBlocked(request, context, good),
    })
  } catch (error) {
    return showFormPage(request, { form, errors: toFieldErrors(error) })
  }
}

function explainNotSent(isOld: boolean, isSeen: boolean): string {
  if (isOld)
    return 'Nothing was sent: this form is older than a day. See in the messages whether it was sent before.'
  return isSeen
    ? 'Nothing was sent: some rows have problems. Mend them, or leave them out.'
    : 'Nothing was sent yet: the form was changed. This is what would be sent now.'
}

/** How many of the rows are for numbers on the Do Not Text list. */
async function countBlocked(
  { account }: PageRequest,
  { doNotText }: Context,
  rows: readonly BulkRow[],
): Promise<number> {
  const lists = await Promise.all(
    [account.id, '*'].map(scope => doNotText.list({ scope, country: account.country })),
  )
  const numbers = new Set(lists.flat().map(({ number }) => number))
  return rows.filter(({ draft }) => numbers.has(draft.destination)).length
}

function showResultPage(
  request: PageRequest,
  form: BulkFormInput,
  { accepted, rejected: refused }: BulkResult,
): PageResult {
  const blocked = accepted.filter(({ status }) => status === 'B').length
  const sent = accepted.length - blocked
  const also =
    blocked === 0 ? '' : ` ${blocked} more are to numbers on the Do Not Text list, and not sent.`
  const said = `${sent} ${sent === 1 ? 'message is' : 'messages are'} accepted.${also}`
  if (refused.length === 0) return redirectWithSuccess('/messages', said)
  const body = (
    <>
      <Notice kind="failed">
        {`${said} ${refused.length} were not accepted. Send the form again for these: nothing is sent twice.`}
      </Notice>
      <RejectedRows refused={refused} />
      <BulkFormFields request={request} shown={{ form }} isChecked />
    </>
  )
  return showPage({ title: 'Send many', current: '/send', body, status: 503 })
}

interface BulkPageState {
  readonly form: BulkFormInput
  readonly rows?: readonly BulkRow[]
  /** Of the rows, how many are for numbers on the Do Not Text list. */
  readonly blocked?: number
  readonly why?: string | undefined
  readonly errors?: FieldErrors
}

function showFormPage(request: PageRequest, shown: BulkPageState): PageResult {
  const { rows, why, errors, blocked = 0 } = shown
  const body = (
    <>
      {why !== undefined && <Notice kind="failed">{why}</Notice>}
      {errors?.[''] !== undefined && <Notice kind="failed">{errors['']}</Notice>}
      {rows !== undefined && <BulkPreview rows={rows} blocked={blocked} />}
      <BulkFormFields request={request} shown={shown} isChecked={rows !== undefined} />
    </>
  )
  const status = errors === undefined && why === undefined ? 200 : 400
  return showPage({ title: 'Send many', current: '/send', body, status })
}

function BulkFormFields(props: { request: PageRequest; shown: BulkPageState; isChecked: boolean }) {
  const { request, shown, isChecked } = props
  const { form, rows = [], errors } = shown
  const good = rows.filter(row => row.problems.length === 0).length
  const isPossible = isChecked && (rows.length === 0 || good > 0)
  return (
    <Form action={path} csrf={request.csrf} files label="Send many">
      <input type="hidden" name="key" value={form.key} />
      {isChecked && <input type="hidden" name="checked" value={hashBulkForm(form)} />}
      {isPossible && (
        <div class="send-checked">
          {good < rows.length && (
            <Checkbox
              label="Leave out the rows with problems"
              name="leave_out"
              checked={getField(request, 'leave_out') === 'true'}
            />
          )}
          <Button
            label={
              rows.length === 0 ? 'Send' : `Send ${good} ${good === 1 ? 'message' : 'messages'}`
            }
            name="do"
            value="send"
          />
        </div>
      )}
      {isChecked && <h2>The table</h2>}
      <TableFields
        table={form.table}
        hint={`The first line names the columns: number, and message or whatever the text below needs; send_on if you like. At most ${maxRows} rows.`}
        error={errors?.file}
      />
      <TextArea
        label="Text for all rows"
        name="text"
        value={form.text}
        rows={3}
        hint="With {column} for what a row has there, and {column|else} for an empty cell. Leave it empty where the table has a column message."
      />
      <div class="beside">
        <LocalTimeFields
          label="Send on"
          name="send_on"
          value={form.sendOn}
          hint="Leave it empty to send at once. Times in the table are UTC."
          error={errors?.send_on}
          zone={form.zone}
          detectZone={!isChecked && errors === undefined}
        />
      </div>
      <Button
        label={isChecked ? 'Look at it again' : 'Look at what would be sent'}
        name="do"
        value="check"
        variant={isChecked ? 'secondary' : 'primary'}
      />
    </Form>
  )
}
