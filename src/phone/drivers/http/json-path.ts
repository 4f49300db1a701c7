/** The value at a path such as `data.messages[0].id` in a JSON value; undefined when there is none. */
export function getJsonValue(json: unknown, path: string): unknown {
  const steps = path.replace(/\[(\d+)\]/g, '.$1').split('.')
  let value = json
  for (const step of steps.filter(each => each !== '')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = Reflect.get(value, step)
  }
  return value
}
