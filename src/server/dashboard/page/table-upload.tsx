import { RelayError } from '../../../errors.js'
import { decodeText } from '../../../util/text/decode-text.js'
import { FileField, Select, TextArea } from '../components/form-fields.js'
import { Fragment, type Html, h } from '../components/html.js'
import { getField, type PageRequest } from './page.js'

/** Bytes of a form with a table in it; the text of the table has at most half of them. */
export const maxTableFormBytes = 4 * 1024 * 1024

/** The encodings that files of spreadsheets have; that of UTF-16 says so itself. */
const encodings = [
  ['utf-8', 'UTF-8'],
  ['windows-1252', 'Windows-1252, of Excel in Western Europe'],
] as const

/** The table of a form as text: that of its file where it has one, else what was pasted. Throws `invalid_parameter`. */
export async function readTable({ fields }: Pick<PageRequest, 'fields'>): Promise<string> {
  const { file } = fields
  if (!(file instanceof Uint8Array) || file.length === 0) {
    return getField({ fields }, 'table').replace(/\r\n?/g, '\n')
  }
  const encoding = encodings.find(([name]) => name === fields.encoding)?.[0] ?? 'utf-8'
  const pieces: string[] = []
  for await (const piece of decodeText(streamBytes(file), encoding)) pieces.push(piece)
  const text = pieces.join('')
  if (!text.includes('\0')) return text
  throw new RelayError('invalid_parameter', '`file` must be a CSV file, and this one is none.', {
    hint: 'Save the spreadsheet as CSV.',
  })
}

/** A text as bytes, for what reads files. */
export async function* streamText(text: string): AsyncGenerator<Uint8Array> {
  yield* streamBytes(Buffer.from(text))
}

/** The fields of a form for a table: a file, or its text, which is shown again so that it can be mended. */
export function TableFields(props: {
  readonly table: string
  /** What its columns are. */
  readonly hint: string
  readonly error: string | undefined
}): Html {
  const { table, hint, error } = props
  return (
    <>
      <div class="beside">
        <FileField
          label="CSV file"
          name="file"
          accept=".csv,.tsv,.txt,text/csv"
          hint={hint}
          error={error}
        />
        <Select label="Encoding of the file" name="encoding" options={encodings} />
      </div>
      <TextArea
        label="Or paste the table here"
        name="table"
        value={table}
        rows={table === '' ? 4 : 10}
        hint="Cells apart by commas, semicolons or tabs, as they are copied from a spreadsheet. A file counts before it."
      />
    </>
  )
}

async function* streamBytes(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
