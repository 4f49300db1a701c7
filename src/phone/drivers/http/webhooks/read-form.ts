import { TextDecoder } from 'node:util'

/**
 * Reads a query or form of a webhook. As in a request of Kannel, a field `charset` names the
 * encoding of the field `text`; if it is unknown, or does not fit the bytes, they are UTF-8.
 */
export function readForm(encoded: string): Record<string, string> {
  const fields = Object.fromEntries(new URLSearchParams(encoded))
  const [, bytes] = /(?:^|&)text=([^&]*)/.exec(encoded) ?? []
  const { charset } = fields
  if (charset === undefined || bytes === undefined) return fields
  try {
    const decoder = new TextDecoder(charset, { fatal: true })
    return { ...fields, text: decoder.decode(decodePercents(bytes)) }
  } catch {
    return fields
  }
}

function decodePercents(encoded: string): Uint8Array {
  const latin1 = encoded
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(latin1, 'latin1')
}
