import { RelayError } from '../../errors.js'
import { suggest } from '../terminal/suggest.js'
import type { Column } from './column.js'
import { type JqProgram, loadJqProgram } from './jq-program.js'
import { type OutputFlags, type OutputFormat, outputFormats } from './output-flags.js'

export interface OutputChoice<T> {
  readonly format: OutputFormat
  readonly columns: readonly Column<T>[]
  readonly recordColumns: readonly Column<T>[]
  readonly isSelection: boolean
  readonly jq: JqProgram | undefined
  readonly ids: boolean
}

/** Checks the output flags of a command, and compiles its jq program. Throws `usage`. */
export async function chooseOutput<T>(
  flags: OutputFlags,
  columns: readonly Column<T>[],
): Promise<OutputChoice<T>> {
  const { json = false, columns: names, jq, ids = false } = flags
  const format = outputFormats.find(each => each === flags.output) ?? (json ? 'json' : 'table')
  if (names !== undefined && format === 'json') throw selectionError()
  if (jq !== undefined && format !== 'json' && flags.output !== undefined) {
    throw new RelayError('usage', `--jq prints JSON, not ${format}.`, { hint: 'Leave out -o.' })
  }
  const selected = names?.split(',').map(name => findColumn(name.trim(), columns))
  return {
    format,
    columns: selected ?? columns.filter(each => format !== 'table' || each.isWide !== true),
    recordColumns: selected ?? columns,
    isSelection: selected !== undefined,
    jq: jq === undefined ? undefined : await loadJqProgram(jq, !json && flags.output === undefined),
    ids,
  }
}

function findColumn<T>(name: string, columns: readonly Column<T>[]): Column<T> {
  const found = columns.find(each => each.name === name)
  if (found !== undefined) return found
  const names = columns.map(each => each.name)
  const near = suggest(name, names)
  const question = near === undefined ? '' : `Did you mean ${near}? `
  throw new RelayError('usage', `--columns: there is no column ${JSON.stringify(name)}.`, {
    hint: `${question}The columns are ${names.join(', ')}.`,
    fields: { flag: '--columns' },
  })
}

function selectionError(): RelayError {
  return new RelayError('usage', '--columns is for tables and CSV, not for JSON.', {
    hint: 'Choose fields with --jq, for example --jq ".[] | {id, status}".',
    fields: { flag: '--columns' },
  })
}
