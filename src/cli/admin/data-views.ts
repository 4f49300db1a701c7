/** Whether a relay would not start: a torn last line does not prevent it. */
export function hasDamage(damages: readonly { readonly kind: string }[]): boolean {
  return damages.some(({ kind }) => kind === 'damaged')
}

/** Formats the numbers of records that `data` commands print, such as `1 account, 3 message`. */
export function formatCounts(records: Readonly<Record<string, number>>): string {
  return Object.entries(records)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ')
}
