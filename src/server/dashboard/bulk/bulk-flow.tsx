// Bulk send: a text for each row of a table, or for each of many contacts.
// 1. The first POST checks the form: its `BulkSource` loads the table, `bulk-form.ts` reads the
//    rows, and `bulk-preview.tsx` shows the totals, the invalid rows and the first messages.
// 2. The second POST sends the same form. `checkOrSend` compares its hash with the one that was
//    checked; a form that has changed, or is older than a day, is checked again.
// 3. `bulk-accept.ts` accepts the messages, each with an idempotency key of the form and the
//    row, so that nothing is sent twice.
//
// `bulk-page.tsx` is the source for tables, `contact-send-page.tsx` that for contacts.
import type { BulkRow, TableRecord } from '../../../domain/bulk/bulk-table.js'
import { pluralize } from '../../../util/text/plural.js'
import type { ServerContext } from '../../http/server-context.js'
import { explainAbsence } from '../attention/no-phone.js'
import { Card } from '../components/card.js'
import { Actions, Button, batchFieldName, Form } from '../components/form.js'
import { Beside, Checkbox } from '../components/form-fields.js'
import { Fragment, type Html, h } from '../components/html.js'
import { LocalTimeFields } from '../components/local-time-fields.js'
import { FormError, Notice } from '../components/notice.js'
import { SendTabs } from '../messages/send-page.js'
import { type FieldErrors, toFieldErrors } from '../page/field-errors.js'
import {
  asIdempotent,
  getField,
  type PageHandler,
  type PageRequest,
  type PageResult,
  redirectWithSuccess,
  showPage,
} from '../page/page.js'
import { acceptRows, type BulkResult, findBlocked } from './bulk-accept.js'
import {
  type BulkFormInput,
  createBulkKey,
  explainNotSent,
  hashBulkForm,
  isExpiredKey,
  type ReadRowsOptions,
  readRows,
} from './bulk-form.js'
import { BulkPreview, RejectedRows } from './bulk-preview.js'

export type BulkContext = Pick<ServerContext, 'messages' | 'doNotText' | 'phones'>

export interface BulkSource<F extends BulkFormInput> {
  readonly path: string
  readonly title: string
  readonly fieldsTitle: string
  readonly rules: Omit<ReadRowsOptions, 'country'>
  readonly sendOnHint: string
  readonly acceptsFiles: boolean
  readonly hasLines: boolean
  createForm(request: PageRequest): F
  parseForm(request: PageRequest): F
  loadTable(request: PageRequest, form: F): Promise<F>
  listRecords(form: F): AsyncIterable<TableRecord> | Iterable<TableRecord>
  renderFields(request: PageRequest, form: F, errors: FieldErrors | undefined): Promise<Html>
}

export function createBulkHandlers<F extends BulkFormInput>(
  context: BulkContext,
  source: BulkSource<F>,
): Readonly<Record<'GET' | 'POST', PageHandler>> {
  return {
    GET: async request => await showFormPage(request, source, { form: source.createForm(request) }),
    POST: asIdempotent(async request => await checkOrSend(request, context, source)),
  }
}

async function checkOrSend<F extends BulkFormInput>(
  request: PageRequest,
  context: BulkContext,
  source: BulkSource<F>,
): Promise<PageResult> {
  const { account } = request
  let form = source.parseForm(request)
  try {
    form = await source.loadTable(request, form)
    const options = { ...source.rules, country: account.country }
    const rows = await readRows(form, source.listRecords(form), options)
    const valid = rows.filter(row => row.problems.length === 0)
    const isSend = getField(request, 'do') === 'send'
    const isExpired = isExpiredKey(form.key, request.now)
    const isChecked = getField(request, 'checked') === hashBulkForm(form) && !isExpired
    const skipInvalid = getField(request, 'leave_out') === 'true' || valid.length === rows.length
    if (isSend && isChecked && skipInvalid && valid.length > 0) {
      const result = await acceptRows(context.messages, account, valid, form.key)
      const isLater = form.sendOn !== ''
      const absence = isLater ? '' : await explainAbsence(context.phones, account)
      return await showResultPage(request, source, form, { ...result, absence })
    }
    if (isExpired) form = { ...form, key: createBulkKey(request.now) }
    const error = isSend ? explainNotSent(isExpired, isChecked) : undefined
    const blocked = await findBlocked(context.doNotText, account, valid)
    return await showFormPage(request, source, { form, rows, error, blocked })
  } catch (error) {
    return await showFormPage(request, source, { form, errors: toFieldErrors(error) })
  }
}

async function showResultPage<F extends BulkFormInput>(
  request: PageRequest,
  source: BulkSource<F>,
  form: F,
  { accepted, rejected, absence }: BulkResult & { readonly absence: string },
): Promise<PageResult> {
  const blocked = accepted.filter(({ status }) => status === 'B').length
  const sent = `${pluralize(accepted.length - blocked, 'message')} accepted.`
  const skipped = ` ${blocked} not sent: their numbers are on the Do Not Text list.`
  const summary = blocked === 0 ? sent : sent + skipped
  if (rejected.length === 0) return redirectWithSuccess('/messages', summary + absence)
  const fields = await source.renderFields(request, form, undefined)
  const body = (
    <>
      <Notice kind="failed" hasFocus>
        {`${summary} ${rejected.length} rejected. To send these, send the form again. `}
        No message is sent twice.
      </Notice>
      <Card title="Rejected rows">
        <RejectedRows rejected={rejected} hasLines={source.hasLines} />
      </Card>
      <BulkFormCard request={request} source={source} state={{ form }} fields={fields} isChecked />
    </>
  )
  return showPage({ title: source.title, current: '/send', body, status: 503 })
}

interface BulkPageState<F> {
  readonly form: F
  readonly rows?: readonly BulkRow[]
  readonly blocked?: ReadonlySet<string>
  readonly error?: string | undefined
  readonly errors?: FieldErrors
}

async function showFormPage<F extends BulkFormInput>(
  request: PageRequest,
  source: BulkSource<F>,
  state: BulkPageState<F>,
): Promise<PageResult> {
  const { form, rows, errors, blocked = new Set() } = state
  const error = state.error ?? errors?.['']
  const fields = await source.renderFields(request, form, errors)
  const isChecked = rows !== undefined
  const body = (
    <>
      <FormError text={error} />
      {rows !== undefined && <BulkPreview {...{ rows, blocked }} hasLines={source.hasLines} />}
      <BulkFormCard {...{ request, source, state, fields, isChecked }} />
    </>
  )
  const status = errors === undefined && error === undefined ? 200 : 400
  return showPage({ title: source.title, current: '/send', body, status })
}

function BulkFormCard<F extends BulkFormInput>(props: {
  readonly request: PageRequest
  readonly source: BulkSource<F>
  readonly state: BulkPageState<F>
  readonly fields: Html
  readonly isChecked: boolean
}): Html {
  const { request, source, state, fields, isChecked } = props
  const { form, rows = [], errors, blocked } = state
  const valid = rows.filter(row => row.problems.length === 0).length
  const canSend = isChecked && (rows.length === 0 || valid > 0)
  return (
    <Card label={source.title}>
      {!isChecked && <SendTabs current={source.path} />}
      <Form
        action={source.path}
        csrf={request.csrf}
        files={source.acceptsFiles}
        label={source.title}
      >
        <input type="hidden" name={batchFieldName} value={form.key} />
        {isChecked && <input type="hidden" name="checked" value={hashBulkForm(form)} />}
        {canSend && <SendButton {...{ request, rows, valid, blocked }} />}
        {isChecked && <h2>{source.fieldsTitle}</h2>}
        {fields}
        <SendOnFields hint={source.sendOnHint} {...{ form, errors }} />
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

function SendOnFields(props: {
  readonly form: BulkFormInput
  readonly errors: FieldErrors | undefined
  readonly hint: string
}): Html {
  const { form, errors, hint } = props
  return (
    <Beside>
      <LocalTimeFields
        label="Send on"
        name="send_on"
        value={form.sendOn}
        hint={hint}
        error={errors?.send_on}
        zone={form.zone}
        detectZone={form.zone === ''}
      />
    </Beside>
  )
}

interface SendButtonProps {
  readonly request: PageRequest
  readonly rows: readonly BulkRow[]
  readonly valid: number
  readonly blocked: ReadonlySet<string> | undefined
}

/**
 * The button of the bulk page. Without rows, it sends the form again after some rows were rejected.
 */
function SendButton({ request, rows, valid, blocked }: SendButtonProps): Html {
  const sent = rows.filter(row => row.problems.length === 0 && !blocked?.has(row.draft.destination))
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
        label={rows.length === 0 ? 'Send' : `Send ${pluralize(sent.length, 'message')}`}
        name="do"
        value="send"
        icon="send"
      />
    </Actions>
  )
}
