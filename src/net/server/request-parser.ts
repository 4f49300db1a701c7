/** Answer of a scan that needs more bytes. */
export const incomplete = -1
/** Answer of a scan that met bytes which another parser might read differently. */
export const unclear = -2

/** The length in characters above which a method is left for the parser to refuse. */
export const longestMethod = 16

export const CR = 0x0d
export const LF = 0x0a
export const SP = 0x20
export const COLON = 0x3a

const tchars = "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const isTchar = byteTable(byte => tchars.includes(String.fromCharCode(byte)))
const isText = byteTable(byte => byte === 0x09 || (byte >= SP && byte !== 0x7f))

function byteTable(has: (byte: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => Number(has(byte)))
}

/** Where the run of token characters that begins at `at` ends (RFC 9110 section 5.6.2). */
export function tokenEnd(data: Buffer, at: number): number {
  let end = at
  while (end < data.length && isTchar[data[end] as number] === 1) end++
  return end
}

/** Where the line that goes on at `at` ends, its CRLF included (RFC 9112 section 2.2). */
export function lineEnd(data: Buffer, at: number): number {
  let end = at
  while (end < data.length && isText[data[end] as number] === 1) end++
  return crlfEnd(data, end)
}

/** Where the CRLF that must be at `at` ends. */
export function crlfEnd(data: Buffer, at: number): number {
  if (at >= data.length) return incomplete
  if (data[at] !== CR) return unclear
  if (at + 1 >= data.length) return incomplete
  return data[at + 1] === LF ? at + 2 : unclear
}

/** The x of HTTP/1.x when `data` from `at` to `end` is ` target HTTP/1.x` and CRLF (RFC 9112 section 3). */
export function httpMinor(data: Buffer, at: number, end: number): 0 | 1 | undefined {
  const version = end - ' HTTP/1.1\r\n'.length
  if (data[at] !== SP || version <= at + 1) return undefined
  for (let i = at + 1; i < version; i++) if ((data[i] as number) <= SP) return undefined
  const text = data.toString('latin1', version, end)
  if (text === ' HTTP/1.1\r\n') return 1
  return text === ' HTTP/1.0\r\n' ? 0 : undefined
}

/** The size a chunk's first line gives, extensions left out (RFC 9112 section 7.1). */
export function chunkSize(data: Buffer, at: number, end: number): number | undefined {
  const [, digits] = /^([0-9a-f]{1,12})(?:;.*)?\r\n$/i.exec(data.toString('latin1', at, end)) ?? []
  return digits === undefined ? undefined : Number.parseInt(digits, 16)
}

/** CONNECT turns the connection into a tunnel, PRI begins HTTP/2 (RFC 9113 section 3.4). */
export function isTunnel(method: string): boolean {
  return method === 'CONNECT' || method === 'PRI'
}
