import { writeFileSync } from 'node:fs'

/** A page in markdown: a heading, an introduction, the machine, and a table. */
export interface Page {
  readonly heading: string
  readonly introduction: string
  /** @default no such line */
  readonly machine?: string
  readonly table: string
}

/** Prints pages as one to stdout and, with `path`, writes the same text to a file. */
export function printPages(pages: readonly Page[], path: string | undefined): void {
  const text = `${pages.map(formatPage).join('\n\n')}\n`
  process.stdout.write(text)
  if (path !== undefined) writeFileSync(path, text)
}

function formatPage({ heading, introduction, machine, table }: Page, index: number): string {
  const parts = [`${index === 0 ? '#' : '##'} ${heading}`, introduction, machine, table]
  return parts.filter(part => part !== undefined).join('\n\n')
}

/** A table whose columns are aligned. */
export function formatTable(head: readonly string[], body: readonly (readonly string[])[]): string {
  const rows = [head, head.map(() => '---'), ...body]
  const widths = head.map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)))
  const lines = rows.map(row =>
    row.map((text, column) => text.padEnd(widths[column] ?? 0, text === '---' ? '-' : ' ')),
  )
  return lines.map(texts => `| ${texts.join(' | ')} |`).join('\n')
}
