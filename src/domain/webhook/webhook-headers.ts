/** Own header fields of a subscription; a change with null removes the field. */
export type HeaderChanges = Readonly<Record<string, string | null>>

type Headers = Readonly<Record<string, string>>

/** Header fields that the relay or HTTP itself sets (RFC 9110 section 7.6.1, RFC 9112). */
const reservedNames: readonly string[] = [
  ...['host', 'user-agent', 'x-hook-from', 'content-type', 'content-length', 'content-encoding'],
  ...['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'expect'],
]

/** Whether the relay sets a header field of a webhook, so that a subscription cannot. */
export function isReservedHeader(name: string): boolean {
  const key = name.toLowerCase()
  return reservedNames.includes(key) || /^(?:webhook|proxy)-/.test(key)
}

/**
 * Changes header fields: null or no field at all removes all, others stay as they are. Names are
 * compared without case. Undefined if none are left.
 */
export function changeHeaders(
  headers: Headers = {},
  changes: HeaderChanges | null,
): Headers | undefined {
  const changed = Object.entries(changes ?? {})
  if (changed.length === 0) return undefined
  const names = new Set(changed.map(([name]) => name.toLowerCase()))
  const kept = Object.entries(headers).filter(([name]) => !names.has(name.toLowerCase()))
  const set = changed.filter((each): each is [string, string] => each[1] !== null)
  return kept.length + set.length === 0 ? undefined : Object.fromEntries([...kept, ...set])
}
