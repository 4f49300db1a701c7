import { setImmediate } from 'node:timers/promises'
import { createContactCsvReader, formatContactCsv } from '../../../contract/contact/contact-csv.js'
import {
  type ContactFields,
  parseImportedContacts,
  toContactFields,
} from '../../../contract/contact/contact-schema.js'
import type { Account } from '../../../domain/account/account.js'
import { buildContactKey } from '../../../domain/contact/contact.js'
import { limits } from '../../../domain/limits.js'
import { RelayError } from '../../../errors.js'
import { readCsv } from '../../../util/text/csv.js'
import { pluralize } from '../../../util/text/plural.js'
import type { ServerContext } from '../../http/server-context.js'
import type { ContactDraft, InvalidContact } from '../../services/contacts/contact-import.js'
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
import { contactsPath } from './contact-paths.js'

type Context = Pick<ServerContext, 'contacts' | 'groups'>

const path = `${contactsPath}/import`
/** Rows of the file that are parsed in one turn of the event loop. */
const rowsPerTurn = 200
const hint =
  'The first line names the columns: number, name, groups (separated by semicolons), and any ' +
  'others, which become fields. A number that is already a contact is changed.'

export function createContactFilePages(context: Context): Pages {
  return {
    [path]: {
      GET: async request => showImportPage(request, { table: '' }),
      POST: withFileUpload(maxTableFormBytes, async request => await importTable(request, context)),
    },
    [`${contactsPath}/export`]: {
      GET: async request => {
        const lines = formatContactCsv(await listAll(request.account, context))
        return await sendTable(request, 'contacts.csv', lines)
      },
    },
  }
}

async function importTable(request: PageRequest, { contacts }: Context): Promise<PageResult> {
  let table = getField(request, 'table')
  try {
    table = await readTable(request)
    const { drafts, lines } = await readRows(table)
    const skipInvalid = getField(request, 'skip_invalid') === 'true'
    const options = { dryRun: false, skipInvalid }
    const result = await contacts.importAll(request.account, drafts, options)
    const { added, changed, unchanged, invalid } = result
    if (invalid.length > 0 && !skipInvalid) {
      const toProblem = ({ index, problem }: InvalidContact): LineProblem => ({
        line: lines[index] ?? 0,
        problem,
      })
      const valid = added + changed + unchanged
      return showImportPage(request, { table, problems: invalid.map(toProblem), valid })
    }
    const skipped = invalid.length === 0 ? '' : ` ${pluralize(invalid.length, 'line')} skipped.`
    const stored = `${pluralize(added, 'contact')} added, ${changed} changed`
    const counts = `${stored}, ${unchanged} unchanged.`
    return redirectWithSuccess(contactsPath, counts + skipped)
  } catch (error) {
    return showImportPage(request, { table, errors: toFieldErrors(error) })
  }
}

interface TableRows {
  readonly drafts: readonly (ContactDraft | InvalidContact)[]
  readonly lines: readonly number[]
}

async function readRows(table: string): Promise<TableRows> {
  const read = createContactCsvReader()
  const drafts: (ContactDraft | InvalidContact)[] = []
  const lines: number[] = []
  for await (const { line, cells } of readCsv(streamText(table))) {
    const row = read(cells)
    if (row === undefined) continue
    const [draft] = parseImportedContacts([row])
    if (draft === undefined) continue
    drafts.push('problem' in draft ? { ...draft, index: drafts.length } : draft)
    lines.push(line)
    if (drafts.length > limits.contacts) throw tooManyRowsError()
    if (drafts.length % rowsPerTurn === 0) await setImmediate()
  }
  if (drafts.length > 0) return { drafts, lines }
  throw new RelayError('invalid_parameter', '`file` must have a contact below its first line.')
}

function tooManyRowsError(): RelayError {
  return new RelayError('invalid_parameter', `\`file\` must have at most ${limits.contacts} rows.`)
}

interface ImportPageState {
  readonly table: string
  readonly problems?: readonly LineProblem[]
  readonly valid?: number
  readonly errors?: FieldErrors
}

function showImportPage(
  request: PageRequest,
  { table, problems = [], valid = 0, errors }: ImportPageState,
): PageResult {
  return showTableImport(request, {
    title: 'Import contacts',
    label: 'Contacts to import',
    list: { path: contactsPath, name: 'Contacts', back: 'Back to the contacts' },
    hint,
    table,
    problems,
    others: `The file has ${pluralize(valid, 'valid line')}.`,
    errors,
  })
}

async function listAll(
  account: Account,
  { contacts, groups }: Context,
): Promise<readonly ContactFields[]> {
  const list = await groups.list(account)
  const names = new Map(list.map(({ id, name }) => [id, name]))
  const all: ContactFields[] = []
  for (let after: string | undefined; ; ) {
    const page = await contacts.getPage(account, { count: limits.contactBatch, after })
    for (const contact of page) all.push(toContactFields(contact, names))
    const last = page.at(-1)
    if (last === undefined || page.length < limits.contactBatch) return all
    after = buildContactKey(last)
    await setImmediate()
  }
}
