const contentType = /^content-type:[^\n]*(?:\n[ \t][^\n]*)*/gim

/** The first Content-Type field of a mail's head; empty if it has no such field. */
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

/** A view of the mail's bytes with the methods of a Buffer. */
function toBytes(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
