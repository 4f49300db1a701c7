const contentType = /^content-type:[^\n]*(?:\n[ \t][^\n]*)*/gim

export function findContentType(head: Uint8Array): string {
  return toBytes(head).toString('latin1').match(contentType)?.[0] ?? ''
}

/** Replaces each Content-Type field of a mail and its parts (RFC 2045, section 5). */
export function replaceContentTypes(
  mail: Uint8Array,
  replace: (field: string) => string,
): Uint8Array {
  return Buffer.from(toBytes(mail).toString('latin1').replace(contentType, replace), 'latin1')
}

function toBytes(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
