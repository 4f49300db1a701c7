/** The known word nearest to a mistyped one, if at most two edits apart. */
export function suggest(typed: string, known: readonly string[]): string | undefined {
  const near = known
    .map(each => ({ each, away: countEdits(typed, each) }))
    .filter(({ away }) => away <= 2 && away < typed.length / 2)
    .toSorted((a, b) => a.away - b.away)
  return near[0]?.each
}

/** The Levenshtein distance of two words. */
export function countEdits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (const [line, letter] of [...a].entries()) {
    const next = [line + 1]
    for (let at = 1; at <= b.length; at++) {
      const replaced = (row[at - 1] ?? 0) + (b[at - 1] === letter ? 0 : 1)
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
