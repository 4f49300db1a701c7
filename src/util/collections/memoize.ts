/** A function of one text that remembers its results for the last texts, at most `most` of them. */
export function memoize<T>(most: number, compute: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return text => {
    const found = known.get(text)
    if (found !== undefined) return found
    const result = compute(text)
    if (known.size >= most) known.clear()
    known.set(text, result)
    return result
  }
}
