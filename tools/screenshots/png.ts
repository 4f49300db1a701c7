import { deflateSync, inflateSync } from 'node:zlib'

const signatureBytes = 8

/** Compresses a picture with the best level of zlib (PNG, third edition, section 10). */
export function recompressPng(png: Buffer): Buffer {
  const chunks = readChunks(png)
  const packed = chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data)
  const data = deflateSync(inflateSync(Buffer.concat(packed)), { level: 9, memLevel: 9 })
  const end = chunks.findIndex(({ type }) => type === 'IDAT')
  const others = chunks.filter(({ type }) => type === 'IHDR' || type === 'PLTE' || type === 'IEND')
  others.splice(Math.min(end, others.length - 1), 0, { type: 'IDAT', data })
  return Buffer.concat([png.subarray(0, signatureBytes), ...others.map(encodeChunk)])
}

interface Chunk {
  readonly type: string
  readonly data: Buffer
}

function readChunks(png: Buffer): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = signatureBytes; at < png.length; ) {
    const length = png.readUInt32BE(at)
    const type = png.toString('latin1', at + 4, at + 8)
    chunks.push({ type, data: png.subarray(at + 8, at + 8 + length) })
    at += length + 12
  }
  return chunks
}

function encodeChunk({ type, data }: Chunk): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(computeCrc32(body), body.length + 4)
  return framed
}

/** CRC-32 (PNG, annex D). Old Node versions have no `crc32` in `node:zlib`. */
function computeCrc32(bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}
