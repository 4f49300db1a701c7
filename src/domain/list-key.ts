export interface ListPageQuery {
  readonly count: number
  readonly after?: string | undefined
  readonly order?: 'asc' | 'desc' | undefined
}

/**
 * The place of an item in lists that are in order of creation: its time in milliseconds since the
 * epoch, then its identifier. Sorts as text.
 */
export function buildListKey(at: number, id: string): string {
  return `${String(Math.max(0, Math.trunc(at))).padStart(15, '0')}.${id}`
}

export function getListKeyId(key: string): string {
  return key.slice(16)
}

/** The time and the identifier in a list key; undefined for another text. */
export function parseListKey(text: string): { at: number; id: string } | undefined {
  return /^\d{15}\.[\w+-]{1,64}$/.test(text)
    ? { at: Number(text.slice(0, 15)), id: getListKeyId(text) }
    : undefined
}
