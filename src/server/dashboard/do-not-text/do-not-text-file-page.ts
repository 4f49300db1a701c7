import { setImmediate } from 'node:timers/promises'
import {
  createDoNotTextCsvReader,
  type DoNotTextCsvRow,
  formatDoNotTextCsv,
} from '../../../contract/do-not-text-csv.js'
import {
  type DoNotTextFields,
  parseImportedEntries,
  toDoNotTextFields,
} from '../../../contract/do-not-text-schema.js'
import type { DoNotTextEntry } from '../../../domain/account/account.js'
import { limits } from '../../../domain/limits.js'
import { RelayError } from '../../../errors.js'
import { readCsv } from '../../../util/text/csv.js'
import { formatCount, pluralize } from '../../../util/text/plural.js'
import type { ServerContext } from '../../http/server-context.js'
import type { DoNotTextService } from '../../services/messages/do-not-text-service.js'
import { getDoNotTextOrigin } from '../../services/messages/do-not-text-service.js'
import { type FieldErrors, toFieldErrors } from '../page/field-errors.js'
import {
  getField,
  type PageRequest,
  type PageResult,
  type Pages,
  redirectWithSuccess,
  withFileUpload,
} from '../page/page.js'
import {
  type LineProblem,
  maxTableFormBytes,
  readTable,
  sendTable,
  showTableImport,
  streamText,
} from '../page/table-upload.js'
import { getScope } from './do-not-text-page.js'

const list = '/do-not-text'
const path = `${list}/import`
const maxRows = 20_000
const hint =
  'Columns: number, note, added_on and reason; only number is required. ' +
  `At most ${formatCount(maxRows)} lines.`

export function createDoNotTextFilePages({ doNotText }: Pick<ServerContext, 'doNotText'>): Pages {
  return {
    [path]: {
      GET: async request => showImportPage(request, { table: '' }),
      POST: withFileUpload(
        maxTableFormBytes,
        async request => await importTable(request, doNotText),
      ),
    },
    [`${list}/export`]: {
      GET: async request => {
        const entries = await doNotText.list(getScope(request))
        return await sendTable(request, 'do-not-text.csv', formatDoNotTextCsv(toFields(entries)))
      },
    },
  }
}

interface ImportResult {
  readonly added: number
  readonly listed: number
  readonly problems: readonly LineProblem[]
}

/** Imports a Do Not Text file on the dashboard: checks all lines before it adds any number. */
async function importTable(request: PageRequest, doNotText: DoNotTextService): Promise<PageResult> {
  let table = getField(request, 'table')
  try {
    table = await readTable(request)
    const rows = await readRows(table)
    const checked = await addRows(request, doNotText, rows, true)
    const skipInvalid = getField(request, 'skip_invalid') === 'true'
    if (checked.problems.length > 0 && !skipInvalid)
      return showImportPage(request, { table, checked })
    const { added, listed, problems } = await addRows(request, doNotText, rows, false)
    const known = listed === 0 ? '' : ` ${listed} were already listed.`
    const skipped = problems.length === 0 ? '' : ` ${pluralize(problems.length, 'line')} skipped.`
    return redirectWithSuccess(list, `${pluralize(added, 'number')} added.${known}${skipped}`)
  } catch (error) {
    return showImportPage(request, { table, errors: toFieldErrors(error) })
  }
}

async function readRows(table: string): Promise<DoNotTextCsvRow[]> {
  const read = createDoNotTextCsvReader()
  const rows: DoNotTextCsvRow[] = []
  for await (const { line, cells } of readCsv(streamText(table))) {
    const row = read(cells, line)
    if (row !== undefined) rows.push(row)
    if (rows.length > maxRows) {
      const hint = 'For larger files, use: smsrelay do-not-text import'
      throw new RelayError('invalid_parameter', `\`file\` must have at most ${maxRows} lines.`, {
        hint,
      })
    }
  }
  if (rows.length > 0) return rows
  throw new RelayError('invalid_parameter', '`file` must contain a number, or paste one below.')
}

async function addRows(
  request: PageRequest,
  doNotText: DoNotTextService,
  rows: readonly DoNotTextCsvRow[],
  dryRun: boolean,
): Promise<ImportResult> {
  const { by } = getDoNotTextOrigin(request.caller)
  const origin = { reason: 'import', by } as const
  const problems: LineProblem[] = []
  let added = 0
  let listed = 0
  for (let start = 0; start < rows.length; start += limits.doNotTextBatch) {
    const batch = rows.slice(start, start + limits.doNotTextBatch)
    const drafts = parseImportedEntries(batch.map(row => ('entry' in row ? row.entry : {})))
    const entries = drafts.map((draft, index) => {
      const row = batch[index]
      return row !== undefined && 'problem' in row ? { index, problem: row.problem } : draft
    })
    const result = await doNotText.addAll(getScope(request), entries, origin, {
      dryRun,
      skipInvalid: true,
    })
    added += result.added
    listed += result.listed
    problems.push(
      ...result.invalid.map(({ index, problem }) => ({ line: batch[index]?.line ?? 0, problem })),
    )
    // While the dashboard imports a file, other requests run between two batches.
    await setImmediate()
  }
  return { added, listed, problems }
}

interface ImportPageState {
  readonly table: string
  readonly checked?: ImportResult
  readonly errors?: FieldErrors
}

function showImportPage(
  request: PageRequest,
  { table, checked, errors }: ImportPageState,
): PageResult {
  return showTableImport(request, {
    title: 'Import numbers',
    label: 'Numbers to import',
    list: { path: list, name: 'Do Not Text list', back: 'Back to the list' },
    hint,
    table,
    problems: checked?.problems ?? [],
    others: checked === undefined ? '' : describeOthers(checked),
    errors,
  })
}

function describeOthers({ added, listed }: ImportResult): string {
  return `Of the other lines, ${added} are new and ${listed} are already listed.`
}

function* toFields(entries: readonly DoNotTextEntry[]): Generator<DoNotTextFields> {
  for (const entry of entries) yield toDoNotTextFields(entry)
}
