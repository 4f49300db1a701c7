/**
 * The place of an item in lists that are in order of creation: its time in milliseconds since the
 * epoch, then its identifier. Sorts as text.
 */
export function buildListKey(at: number, id: string): string {
  return `${String(Math.max(0, Math.trunc(at))).padStart(15, '0')}.${id}`
}

/** The identifier in a key that {@link buildListKey} made. */
export function getListKeyId(key: string): string {
  return key.slice(16)
}
