/** The nearest known word, at most two edits (Levenshtein) away. */
export function suggest(typed: string, known: readonly string[]): string | undefined {
  const near = known
    .map(each => ({ each, edits: countEdits(typed, each) }))
    .filter(({ edits }) => edits <= 2 && edits < typed.length / 2)
    .toSorted((a, b) => a.edits - b.edits)
  return near[0]?.each
}

export function countEdits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (const [line, character] of [...a].entries()) {
    const next = [line + 1]
    for (let column = 1; column <= b.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (b[column - 1] === character ? 0 : 1)
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
