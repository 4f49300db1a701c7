import { setImmediate } from 'node:timers/promises'
import { isRelayError, RelayError } from '../../../errors.js'
import { csvFileStart } from '../../../util/text/csv-row.js'
import { decodeText } from '../../../util/text/decode-text.js'
import { pluralize } from '../../../util/text/plural.js'
import type { BodyFields } from '../../http/request-body.js'
import { Card } from '../components/card.js'
import { Actions, Button, ButtonLink, Form } from '../components/form.js'
import { Beside, Checkbox, FileField, Select, TextArea } from '../components/form-fields.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Notice } from '../components/notice.js'
import { Table } from '../components/table.js'
import { type FieldErrors, removeBackticks } from './field-errors.js'
import { getField, type PageRequest, type PageResult, showPage } from './page.js'

export const maxTableFormBytes = 4 * 1024 * 1024

/**
 * Encodings of uploaded tables from spreadsheet programs. UTF-16 is detected by its byte order
 * mark.
 */
const encodings = [
  ['utf-8', 'UTF-8'],
  ['windows-1252', 'Windows-1252 (Excel in Western Europe)'],
  ['windows-1250', 'Windows-1250 (Excel in Central Europe)'],
  ['windows-1251', 'Windows-1251 (Excel in Cyrillic script)'],
  ['iso-8859-15', 'ISO-8859-15'],
  ['koi8-r', 'KOI8-R'],
  ['gb18030', 'GB18030 (Excel in Chinese)'],
  ['shift_jis', 'Shift_JIS (Excel in Japanese)'],
  ['iso-2022-jp', 'ISO-2022-JP'],
] as const

/** Lines of a file of the dashboard that are formatted in one turn of the event loop. */
const linesPerTurn = 1000

export async function sendTable(
  { response }: Pick<PageRequest, 'response'>,
  name: string,
  lines: Iterable<string>,
): Promise<undefined> {
  const texts = [csvFileStart]
  for (const line of lines) {
    texts.push(line)
    if (texts.length % linesPerTurn === 0) await setImmediate()
  }
  const fields = {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${name}"`,
    'Cache-Control': 'private, no-store',
  }
  response.send(200, fields, texts.join(''))
  return undefined
}

export async function readTable({ fields }: Pick<PageRequest, 'fields'>): Promise<string> {
  const { file } = fields
  if (!(file instanceof Uint8Array) || file.length === 0) {
    return getField({ fields }, 'table').replace(/\r\n?/g, '\n')
  }
  const encoding = encodings.find(([name]) => name === fields.encoding)?.[0] ?? 'utf-8'
  const chunks: string[] = []
  for await (const chunk of decodeText(streamBytes(file), encoding)) chunks.push(chunk)
  const text = chunks.join('')
  if (!text.includes('\0')) return text
  throw new RelayError('invalid_parameter', '`file` is not a CSV file.', {
    hint: 'Save the spreadsheet as CSV.',
  })
}

export async function replaceFile(fields: BodyFields): Promise<BodyFields> {
  const { file, ...rest } = fields
  if (file === undefined) return fields
  try {
    return { ...rest, table: await readTable({ fields }) }
  } catch (error) {
    if (isRelayError(error, 'invalid_parameter')) return fields
    throw error
  }
}

export async function* streamText(text: string): AsyncGenerator<Uint8Array> {
  yield* streamBytes(Buffer.from(text))
}

export function TableFields(props: {
  readonly table: string
  readonly hint: string
  readonly error: string | undefined
}): Html {
  const { table, hint, error } = props
  return (
    <>
      <Beside>
        <FileField
          label="CSV file"
          name="file"
          accept=".csv,.tsv,.txt,text/csv"
          hint={hint}
          error={error}
        />
        <Select label="Encoding of the file" name="encoding" options={encodings} />
      </Beside>
      <TextArea
        label="Or paste the table here"
        name="table"
        value={table}
        rows={table === '' ? 4 : 10}
        hint="Cells separated by commas, semicolons or tabs. A file takes precedence."
      />
    </>
  )
}

async function* streamBytes(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

export interface LineProblem {
  readonly line: number
  readonly problem: string
}

const maxShownProblems = 200

interface TableImport {
  readonly title: string
  readonly label: string
  readonly list: { readonly path: string; readonly name: string; readonly back: string }
  readonly hint: string
  readonly table: string
  readonly problems: readonly LineProblem[]
  readonly others: string
  readonly errors: FieldErrors | undefined
}

export function showTableImport(request: PageRequest, page: TableImport): PageResult {
  const { title, label, list, hint, table, problems, others, errors } = page
  const isInvalid = problems.length > 0
  const body = (
    <>
      {isInvalid && <InvalidLines problems={problems} others={others} />}
      <Card label={label}>
        <Form action={request.http.path} csrf={request.csrf} files label={label} errors={errors}>
          <TableFields table={table} hint={hint} error={errors?.file} />
          {isInvalid && <Checkbox label="Skip invalid lines" name="skip_invalid" />}
          <Actions>
            <Button label="Import" />
            <ButtonLink href={list.path} label={list.back} variant="bare" />
          </Actions>
        </Form>
      </Card>
    </>
  )
  const status = errors === undefined && !isInvalid ? 200 : 400
  const parent = { path: list.path, label: list.name }
  return showPage({ title, current: list.path, parent, body, status })
}

function InvalidLines(props: {
  readonly problems: readonly LineProblem[]
  readonly others: string
}): Html {
  const { problems, others } = props
  const more = problems.length - maxShownProblems
  return (
    <>
      <Notice kind="failed" hasFocus>
        {`Nothing is imported: ${pluralize(problems.length, 'invalid line')}. ${others}`}
      </Notice>
      <Card label="Invalid lines">
        <Table
          caption="Invalid lines"
          head={['Line', 'Problem']}
          rows={problems
            .slice(0, maxShownProblems)
            .map(({ line, problem }) => [line, removeBackticks(problem)])}
          empty=""
        />
        {more > 0 && <p class="none">{pluralize(more, 'more invalid line')}</p>}
      </Card>
    </>
  )
}
