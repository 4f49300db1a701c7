import type { Readable } from 'node:stream'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import { isRelayError, RelayError } from '../../errors.js'
import { setFieldOnce } from './form-body.js'

const maxParts = 100

type SetField = (name: string, value: string | Buffer) => void

/**
 * Parses a multipart/form-data request body (RFC 7578). Throws `invalid_request`.
 * @param files whether files become fields with their bytes; else they are ignored
 */
export async function parseMultipart(
  bytes: Buffer,
  contentType: string,
  files = false,
): Promise<Record<string, string | Buffer>> {
  const fields: Record<string, string | Buffer> = Object.create(null)
  const setField: SetField = (name, value) => setFieldOnce(fields, name, value)
  try {
    await readParts(bytes, contentType, files, setField)
  } catch (error) {
    if (isRelayError(error)) throw error
    throw new RelayError('invalid_request', 'The multipart/form-data body is malformed.')
  }
  return fields
}

function readParts(
  bytes: Buffer,
  contentType: string,
  files: boolean,
  setField: SetField,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers: BusboyHeaders = { 'content-type': contentType }
    const limits = { files: files ? maxParts : 0, parts: maxParts, fieldSize: bytes.length }
    // In a multipart form, Busboy waits forever for the reader of a part that is longer than its
    // buffer, because all of the part arrives at once; nothing waits if the buffer is longer than
    // the body.
    const busboy = new Busboy({ headers, limits, fileHwm: bytes.length + 1 })
    const trySetField: SetField = (name, value) => {
      try {
        setField(name, value)
      } catch (error) {
        reject(error)
      }
    }
    busboy.on('field', trySetField)
    busboy.on('file', (name: string, stream: Readable) => {
      const chunks: Buffer[] = []
      // In a multipart form, an error event of a part without a listener would end the process.
      stream.on('error', reject)
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => trySetField(name, Buffer.concat(chunks)))
    })
    busboy.on('partsLimit', () =>
      reject(new RelayError('invalid_request', `The body must have at most ${maxParts} fields.`)),
    )
    busboy.on('finish', resolve)
    busboy.on('error', reject)
    busboy.end(bytes)
  })
}
