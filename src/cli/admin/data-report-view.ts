/** The part of the result of `data check` that is printed. */
export interface PrintableDataReport {
  readonly files: readonly { readonly file: string; readonly lines: number }[]
  readonly damages: readonly {
    readonly file: string
    readonly line: number
    readonly kind: 'damaged' | 'torn'
    readonly bytes: number
  }[]
  readonly records: Readonly<Record<string, number>>
}

export function formatDataReport({ files, damages, records }: PrintableDataReport): string {
  const counted = Object.entries(records).map(([kind, count]) => `${count} ${kind}`)
  return [
    ...files.map(({ file, lines }) => `${file}: ${lines} lines`),
    `Records: ${counted.join(', ')}`,
    ...damages.map(formatDamage),
    damages.some(each => each.kind === 'damaged')
      ? 'Damaged. `smsrelay data repair` saves the intact records; a backup may have more.'
      : 'No damage.',
  ].join('\n')
}

function formatDamage({ file, line, kind, bytes }: PrintableDataReport['damages'][number]): string {
  return kind === 'torn'
    ? `${file}: line ${line} (${bytes} bytes) is a torn write; no reply depended on it.`
    : `${file}: line ${line} (${bytes} bytes) is damaged.`
}
