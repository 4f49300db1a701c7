/**
 * The values in a provider's JSON at a path such as `data.messages[0].id`; `[*]` stands for all
 * elements of an array, and `Media*` for `Media0`, `Media1` and so on. Values that are missing or
 * null are left out.
 */
export function getJsonValues(json: unknown, path: string): readonly unknown[] {
  const steps = path
    .replace(/\[(\d+|\*)\]/g, '.$1')
    .split('.')
    .filter(step => step !== '')
  return steps
    .reduce<readonly unknown[]>((values, step) => values.flatMap(each => take(each, step)), [json])
    .filter(value => value !== undefined && value !== null)
}

/** The first of several paths' values in a provider's JSON that is a text or a number. */
export function getJsonText(json: unknown, ...paths: readonly string[]): string | undefined {
  const found = paths
    .flatMap(path => getJsonValues(json, path))
    .find(value => typeof value === 'number' || (typeof value === 'string' && value !== ''))
  return found === undefined ? undefined : String(found)
}

function take(value: unknown, step: string): readonly unknown[] {
  if (step === '*') return Array.isArray(value) ? value : []
  if (typeof value !== 'object' || value === null) return []
  if (step.endsWith('*')) {
    const name = step.slice(0, -1)
    return Object.entries(value).flatMap(([key, each]) =>
      key.startsWith(name) && /^\d+$/.test(key.slice(name.length)) ? [each] : [],
    )
  }
  if (!Object.hasOwn(value, step)) return []
  return [Reflect.get(value, step)]
}
