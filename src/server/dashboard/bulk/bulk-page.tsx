import { readCsv } from '../../../util/text/csv.js'
import { formatCount } from '../../../util/text/plural.js'
import { TextArea } from '../components/form-fields.js'
import { Fragment, h } from '../components/html.js'
import { getField, type Pages, withFileUpload } from '../page/page.js'
import { maxTableFormBytes, readTable, streamText, TableFields } from '../page/table-upload.js'
import { type BulkContext, type BulkSource, createBulkHandlers } from './bulk-flow.js'
import { type BulkFormInput, createBulkKey, parseBulkForm } from './bulk-form.js'

const path = '/send/many'
const maxRows = 5000
const tableHint =
  'The first line names the columns: number, message and, if needed, send_on and the columns ' +
  `that the text below uses. At most ${formatCount(maxRows)} rows.`
const textHint =
  '{column} inserts a column; {column|else} has a text for empty cells. Leave it empty if the ' +
  'table has a column message.'

export function createBulkPages(context: BulkContext): Pages {
  const { GET, POST } = createBulkHandlers(context, tableSource)
  return { [path]: { GET, POST: withFileUpload(maxTableFormBytes, POST) } }
}

const tableSource: BulkSource<BulkFormInput> = {
  path,
  title: 'Send from a table',
  fieldsTitle: 'Table',
  rules: {
    maxRows,
    emptyText: '`file` must have a row below the first line, which names the columns.',
  },
  sendOnHint: 'Leave it empty to send at once. Times in the table are UTC.',
  acceptsFiles: true,
  hasLines: true,
  createForm: ({ account, now }) => ({
    ...{ table: '', text: '', sendOn: '', zone: account.timeZone ?? '' },
    key: createBulkKey(now),
  }),
  parseForm: request => parseBulkForm(request, getField(request, 'table')),
  loadTable: async (request, form) => ({ ...form, table: await readTable(request) }),
  listRecords: form => readCsv(streamText(form.table)),
  renderFields: async (_, form, errors) => (
    <>
      <TableFields table={form.table} hint={tableHint} error={errors?.file} />
      <TextArea label="Text for all rows" name="text" value={form.text} rows={3} hint={textHint} />
    </>
  ),
}
