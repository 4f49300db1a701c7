import type { Readable } from 'node:stream'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import { isRelayError, RelayError } from '../../errors.js'
import { setOnce } from './form-body.js'

const mostParts = 100

/**
 * The fields of a multipart/form-data body (RFC 7578). Throws `invalid_request`.
 *
 * @param files whether files are fields, too, as their bytes; else they are passed over
 */
export async function parseMultipart(
  bytes: Buffer,
  contentType: string,
  files = false,
): Promise<Record<string, string | Buffer>> {
  const fields: Record<string, string | Buffer> = Object.create(null)
  const keep: Keep = (name, value) => setOnce(fields, name, value)
  try {
    await read(bytes, contentType, files, keep)
  } catch (error) {
    if (isRelayError(error)) throw error
    throw new RelayError('invalid_request', 'The multipart/form-data body is malformed.')
  }
  return fields
}

type Keep = (name: string, value: string | Buffer) => void

function read(bytes: Buffer, contentType: string, files: boolean, keep: Keep): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers: BusboyHeaders = { 'content-type': contentType }
    const most = { files: files ? mostParts : 0, parts: mostParts, fieldSize: bytes.length }
    const busboy = new Busboy({ headers, limits: most })
    const kept: Keep = (name, value) => {
      try {
        keep(name, value)
      } catch (error) {
        reject(error)
      }
    }
    busboy.on('field', kept)
    busboy.on('file', (name: string, stream: Readable) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => kept(name, Buffer.concat(chunks)))
    })
    busboy.on('partsLimit', () =>
      reject(new RelayError('invalid_request', `The body must have at most ${mostParts} fields.`)),
    )
    busboy.on('finish', resolve)
    busboy.on('error', reject)
    busboy.end(bytes)
  })
}
