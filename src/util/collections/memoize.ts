/** Remembers up to `max` results of a function of one text; then all are dropped. */
export function memoize<T>(max: number, compute: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return text => {
    const found = known.get(text)
    if (found !== undefined) return found
    const result = compute(text)
    if (known.size >= max) known.clear()
    known.set(text, result)
    return result
  }
}
