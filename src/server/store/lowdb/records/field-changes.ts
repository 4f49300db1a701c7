/** New values of fields of a record; null takes a field away. */
export type FieldChanges = Readonly<Record<string, unknown>>

type Fields = Readonly<Record<string, unknown>>

/**
 * What makes one record of another, both as JSON; undefined where that has as many fields as the half of the new record, and
 * where a field is set to null.
 */
export function findFieldChanges(before: object, after: object): FieldChanges | undefined {
  const [old, fresh] = [before as Fields, after as Fields]
  const changes: Record<string, unknown> = {}
  const names = Object.keys(fresh)
  let count = 0
  for (const name of names) {
    const value = fresh[name]
    if (value === undefined || value === old[name]) continue
    if (value === null) return undefined
    changes[name] = value
    count += 1
  }
  for (const name of Object.keys(old)) {
    if (old[name] === undefined || fresh[name] !== undefined) continue
    changes[name] = null
    count += 1
  }
  return 2 * count < names.length ? changes : undefined
}

/**
 * The record with the changes. Field by field: an object that a field is deleted from takes several times the memory.
 */
export function applyFieldChanges<T extends object>(record: T, changes: FieldChanges): T {
  const result: Record<string, unknown> = {}
  for (const [name, value] of Object.entries({ ...record, ...changes })) {
    if (value !== null || changes[name] !== null) result[name] = value
  }
  return result as T
}
