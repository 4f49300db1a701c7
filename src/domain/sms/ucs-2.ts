/** Encodes text as UCS-2: UTF-16 code units as octets, high octet first. */
export function encodeUcs2(text: string): Uint8Array {
  return Buffer.from(text, 'utf16le').swap16()
}

/** Decodes UCS-2 text from octets, high octet first; ignores an odd last octet. */
export function decodeUcs2(octets: Uint8Array): string {
  const even = octets.subarray(0, octets.length & ~1)
  return Buffer.from(even).swap16().toString('utf16le')
}
