export function suggest(typed: string, known: readonly string[]): string | undefined {
  const near = known
    .map(each => ({ each, edits: countEdits(typed, each) }))
    .filter(({ edits }) => edits <= 2 && edits < typed.length / 2)
    .toSorted((a, b) => a.edits - b.edits)
  return near[0]?.each
}

/** Counts letters that were added, missing, replaced or exchanged with their neighbour. */
export function countEdits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  let before: readonly number[] = []
  for (const [line, character] of [...a].entries()) {
    const next = [line + 1]
    for (let column = 1; column <= b.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (b[column - 1] === character ? 0 : 1)
      const exchanged = hasExchange(a, b, line, column) ? (before[column - 2] ?? 0) + 1 : replaced
      const [missing, added] = [(row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1]
      next.push(Math.min(replaced, exchanged, missing, added))
    }
    before = row
    row = next
  }
  return row[b.length] ?? 0
}

function hasExchange(a: string, b: string, line: number, column: number): boolean {
  return line > 0 && column > 1 && a[line] === b[column - 2] && a[line - 1] === b[column - 1]
}
