import { RelayError } from '../../errors.js'
import { normalizeColumnName } from './row-template.js'

/** Where the columns of a table of messages are, counted from 0. */
export interface BulkColumns {
  readonly destination: number
  readonly message: number | undefined
  readonly sendOn: number | undefined
}

const destinationNames = ['destination', 'number', 'phone', 'to'] as const

/**
 * Finds the columns by their header. Throws `invalid_parameter` where one is missing, is there twice, or may be either.
 *
 * @param needsMessage whether the text stands in the table
 */
export function findColumns(header: readonly string[], needsMessage: boolean): BulkColumns {
  const keys = header.map(normalizeColumnName)
  if (keys.every(key => key === ''))
    throw invalidHeaderError('There is no first line that names the columns.')
  const double = keys.find((key, at) => key !== '' && keys.indexOf(key) !== at)
  if (double !== undefined) throw invalidHeaderError(`The column ${double} is there twice.`)
  const destinations = destinationNames.filter(name => keys.includes(name))
  const [name, second] = destinations
  if (name === undefined) {
    throw invalidHeaderError(
      'The first line names no column destination (or number, phone, to).',
      header,
    )
  }
  if (second !== undefined) {
    throw invalidHeaderError(
      `It is not clear which column has the numbers: ${destinations.join(' or ')}.`,
    )
  }
  const message = findColumn(keys, 'message')
  if (needsMessage && message === undefined) {
    throw invalidHeaderError(
      'The first line names no column message, and no text was given.',
      header,
    )
  }
  return { destination: keys.indexOf(name), message, sendOn: findColumn(keys, 'send_on') }
}

function findColumn(keys: readonly string[], name: string): number | undefined {
  const at = keys.indexOf(name)
  return at === -1 ? undefined : at
}

function invalidHeaderError(message: string, header?: readonly string[]): RelayError {
  const hint =
    header === undefined
      ? 'Name the columns in the first line, each once.'
      : `It reads: ${header.join(', ').slice(0, 200)}.`
  return new RelayError('invalid_parameter', message, { hint })
}
