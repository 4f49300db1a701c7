import { setImmediate } from 'node:timers/promises'
import { blockFields } from '../../../contract/blocklist-fields.js'
import { blocklistCsv, blocklistReader, type CsvRow } from '../../../contract/do-not-text-csv.js'
import { importDrafts } from '../../../contract/imported-entries.js'
import { limits } from '../../../domain/limits.js'
import { RelayError } from '../../../errors.js'
import { readCsv } from '../../../util/text/csv.js'
import type { AppParts } from '../../app.js'
import type { BlocklistService } from '../../services/messages/do-not-text-service.js'
import { originOf } from '../../services/messages/do-not-text-service.js'
import { Button, Form } from '../components/form.js'
import { Checkbox } from '../components/form-fields.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Notice } from '../components/notice.js'
import { Table } from '../components/table.js'
import { errorsFrom, type FieldErrors } from '../page/field-errors.js'
import { type Answer, done, field, type Pages, page, type Visit, withFiles } from '../page/page.js'
import { bytesOf, TableFields, tableForm, tableOf } from '../page/table-upload.js'
import { scopeOf } from './do-not-text-page.js'

const list = '/blocklist'
const path = `${list}/import`
const mostRows = 20_000
const mostShown = 200

/** The Do Not Text list as a file: in and out. */
export function blocklistFilePages({ blocklist }: Pick<AppParts, 'blocklist'>): Pages {
  return {
    [path]: {
      GET: async visit => importPage(visit, { table: '' }),
      POST: withFiles(tableForm, async visit => await importTable(visit, blocklist)),
    },
    [`${list}/export`]: {
      GET: async visit => {
        await sendList(visit, blocklist)
        return undefined
      },
    },
  }
}

interface Problem {
  readonly line: number
  /** One sentence. */
  readonly problem: string
}

interface Outcome {
  readonly added: number
  readonly listed: number
  readonly problems: readonly Problem[]
}

/** Checks every line before any number is listed. */
async function importTable(visit: Visit, blocklist: BlocklistService): Promise<Answer> {
  let table = field(visit, 'table')
  try {
    table = await tableOf(visit)
    const rows = await rowsOf(table)
    const found = await listAll(visit, blocklist, rows, true)
    const isWanted = field(visit, 'skip_invalid') === 'true'
    if (found.problems.length > 0 && !isWanted) return importPage(visit, { table, found })
    const { added, listed, problems } = await listAll(visit, blocklist, rows, false)
    const before = listed === 0 ? '' : ` ${listed} were listed already or came twice.`
    const bad = problems.length === 0 ? '' : ` ${problems.length} lines were left out.`
    return done(
      list,
      `${added} ${added === 1 ? 'number is' : 'numbers are'} new on the list.${before}${bad}`,
    )
  } catch (error) {
    return importPage(visit, { table, errors: errorsFrom(error) })
  }
}

async function rowsOf(table: string): Promise<CsvRow[]> {
  const read = blocklistReader()
  const rows: CsvRow[] = []
  for await (const { line, cells } of readCsv(bytesOf(table))) {
    const row = read(
      cells.map(cell => cell.trim()),
      line,
    )
    if (row !== undefined) rows.push(row)
    if (rows.length > mostRows) {
      const hint = '`smsrelay blocklist import` takes files of any length.'
      throw new RelayError('invalid_parameter', `\`file\` must have at most ${mostRows} lines.`, {
        hint,
      })
    }
  }
  if (rows.length > 0) return rows
  throw new RelayError('invalid_parameter', '`file` must have a number, or paste one below.')
}

async function listAll(
  visit: Visit,
  blocklist: BlocklistService,
  rows: readonly CsvRow[],
  dryRun: boolean,
): Promise<Outcome> {
  const { by } = originOf(visit.account, visit.caller.kind)
  const origin = { reason: 'import', by } as const
  const problems: Problem[] = []
  let added = 0
  let listed = 0
  for (let at = 0; at < rows.length; at += limits.blockBatch) {
    const batch = rows.slice(at, at + limits.blockBatch)
    const drafts = importDrafts(batch.map(row => ('entry' in row ? row.entry : {})))
    const told = drafts.map((draft, index) => {
      const row = batch[index]
      return row !== undefined && 'problem' in row ? { index, problem: row.problem } : draft
    })
    const result = await blocklist.addAll(scopeOf(visit), told, origin, {
      dryRun,
      skipInvalid: true,
    })
    added += result.added
    listed += result.listed
    problems.push(
      ...result.invalid.map(({ index, problem }) => ({ line: batch[index]?.line ?? 0, problem })),
    )
    // Others are served between two batches.
    await setImmediate()
  }
  return { added, listed, problems }
}

interface Shown {
  readonly table: string
  readonly found?: Outcome
  readonly errors?: FieldErrors
}

function importPage(visit: Visit, { table, found, errors }: Shown): Answer {
  const bad = found?.problems.length ?? 0
  const body = (
    <>
      {errors?.[''] !== undefined && <Notice kind="failed">{errors['']}</Notice>}
      {found !== undefined && <Problems found={found} />}
      <Form action={path} csrf={visit.csrf} files>
        <TableFields
          table={table}
          hint={`The columns number, note, added_on and reason, of which only number is needed; at most ${mostRows} lines.`}
          error={errors?.file}
        />
        {bad > 0 && <Checkbox label="Leave out lines with problems" name="skip_invalid" />}
        <Button label="Import" /> <a href={list}>Back to the list</a>
      </Form>
    </>
  )
  const status = errors === undefined && bad === 0 ? 200 : 400
  return page({ title: 'Import numbers', current: list, body, status })
}

function Problems({ found }: { readonly found: Outcome }): Html {
  const { problems, added, listed } = found
  const more = problems.length - mostShown
  return (
    <>
      <Notice kind="failed">
        {`Nothing was imported: ${problems.length} ${problems.length === 1 ? 'line has' : 'lines have'} problems. Of the others ${added} would be new, and ${listed} are listed already.`}
      </Notice>
      <Table
        caption="Lines with problems"
        head={['Line', 'Problem']}
        rows={problems
          .slice(0, mostShown)
          .map(({ line, problem }) => [line, problem.replaceAll('`', '')])}
        empty=""
      />
      {more > 0 && <p>{`And ${more} more.`}</p>}
    </>
  )
}

async function sendList(visit: Visit, blocklist: BlocklistService): Promise<void> {
  const { response } = visit
  const entries = (await blocklist.list(scopeOf(visit))).map(blockFields)
  response.setHeader('Content-Type', 'text/csv; charset=utf-8')
  response.setHeader('Content-Disposition', 'attachment; filename="do-not-text.csv"')
  response.end([...blocklistCsv(entries)].join(''))
}
