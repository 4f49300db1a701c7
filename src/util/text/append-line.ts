/** Adds a line to lines of text, of which the last `max` stay. */
export function appendLine(lines: string | undefined, line: string, max: number): string {
  if (lines === undefined) return line
  return [...lines.split('\n'), line].slice(-max).join('\n')
}
