import { RelayError } from '../../errors.js'
import { normalizeColumnName } from './row-template.js'

/** The positions of the columns of a table of messages, from 0. */
export interface BulkColumns {
  readonly destination: number
  readonly message: number | undefined
  readonly sendOn: number | undefined
}

const destinationNames = ['destination', 'number', 'phone', 'to'] as const

/**
 * Finds the columns by the names in the header. Throws `invalid_parameter` for a missing, a
 * duplicate or an ambiguous one.
 *
 * @param needsMessage whether the texts are in the table
 */
export function findColumns(header: readonly string[], needsMessage: boolean): BulkColumns {
  const keys = header.map(normalizeColumnName)
  if (keys.every(key => key === ''))
    throw invalidHeaderError('The first line does not name the columns.')
  const duplicate = keys.find((key, at) => key !== '' && keys.indexOf(key) !== at)
  if (duplicate !== undefined) throw invalidHeaderError(`There are two columns ${duplicate}.`)
  const destinations = destinationNames.filter(name => keys.includes(name))
  const [name, second] = destinations
  if (name === undefined) {
    throw invalidHeaderError('There is no column destination (or number, phone, to).', header)
  }
  if (second !== undefined) {
    throw invalidHeaderError(`Several columns could have the numbers: ${destinations.join(', ')}.`)
  }
  const message = findColumn(keys, 'message')
  if (needsMessage && message === undefined) {
    throw invalidHeaderError('There is no column message, and no text was given.', header)
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
      ? 'Name each column once, in the first line.'
      : `The columns are: ${header.join(', ').slice(0, 200)}.`
  return new RelayError('invalid_parameter', message, { hint })
}
