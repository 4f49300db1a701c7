export type FieldChanges = Readonly<Record<string, unknown>>

type Fields = Readonly<Record<string, unknown>>

/**
 * The journal's changes that turn one record into another; undefined if they have at least half as
 * many fields as the new record, or if a field becomes null.
 */
export function findFieldChanges(before: object, after: object): FieldChanges | undefined {
  const [oldFields, newFields] = [before as Fields, after as Fields]
  const changes: Record<string, unknown> = {}
  let names = 0
  let count = 0
  // A loop with `in` takes half the time of one over Object.keys.
  for (const name in newFields) {
    names += 1
    const value = newFields[name]
    if (value === undefined || value === oldFields[name]) continue
    if (value === null) return undefined
    changes[name] = value
    count += 1
  }
  for (const name in oldFields) {
    if (oldFields[name] === undefined || newFields[name] !== undefined) continue
    changes[name] = null
    count += 1
  }
  return 2 * count < names ? changes : undefined
}

/**
 * Applies a journal's changes to a record. Copies field by field: after `delete` an object would
 * take several times the memory.
 */
export function applyFieldChanges<T extends object>(record: T, changes: FieldChanges): T {
  const result: Record<string, unknown> = {}
  for (const [name, value] of Object.entries({ ...record, ...changes })) {
    if (value !== null || changes[name] !== null) result[name] = value
  }
  return result as T
}
