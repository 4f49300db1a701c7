import { RelayError } from '../../errors.js'

/** Normalizes the name of a column: letter case and outer spaces do not matter. */
export function normalizeColumnName(name: string): string {
  return name.trim().toLowerCase()
}

const numberColumns: readonly string[] = ['number', 'phone', 'destination', 'to']

/**
 * Finds the column of a table that has the phone numbers, by the normalized names of its header.
 * Throws `invalid_parameter` if there are several.
 */
export function findNumberColumn(names: readonly string[]): string | undefined {
  const [name, ...others] = names.filter(each => numberColumns.includes(each))
  if (name === undefined || others.length === 0) return name
  const all = [name, ...others].join(', ')
  throw new RelayError('invalid_parameter', `Several columns could have the numbers: ${all}.`, {
    hint: 'Rename or remove the others in the first line.',
  })
}
