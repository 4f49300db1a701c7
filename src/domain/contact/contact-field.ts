const reservedNames: ReadonlySet<string> = new Set([
  ...['number', 'destination', 'phone', 'to', 'name', 'groups'],
  // The last one is no name of a property of objects.
  ...['message', 'send_on', 'created_on', '__proto__'],
])

const forbidden = /[{}|:,;\p{Cc}]/u

/**
 * What is wrong with the name of a field of contacts, trimmed and in lower case, which templates
 * use as `{name}`; undefined if nothing is.
 */
export function findFieldNameProblem(name: string, max: number): string | undefined {
  if (name === '') return 'must have a name for each field'
  if (reservedNames.has(name)) return `must not have a field ${name}: the name is reserved`
  if ([...name].length > max) return `must have names of at most ${max} characters`
  return forbidden.test(name) ? 'must have names without { } | : , ; and line breaks' : undefined
}

export function normalizeFieldName(name: string): string {
  return name.trim().toLowerCase()
}
