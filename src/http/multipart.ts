import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import { isRelayError, RelayError } from '../errors.js'
import { setOnce } from './form.js'

const mostParts = 100

/** The fields of a multipart/form-data body (RFC 7578). Throws `invalid_request`. */
export async function parseMultipart(
  bytes: Buffer,
  contentType: string,
): Promise<Record<string, string>> {
  const fields: Record<string, string> = Object.create(null)
  try {
    await read(bytes, contentType, (name, value) => setOnce(fields, name, value))
  } catch (error) {
    if (isRelayError(error)) throw error
    throw new RelayError('invalid_request', 'The multipart/form-data body is malformed.')
  }
  return fields
}

function read(
  bytes: Buffer,
  contentType: string,
  onField: (name: string, value: string) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers: BusboyHeaders = { 'content-type': contentType }
    const busboy = new Busboy({
      headers,
      limits: { files: 0, parts: mostParts, fieldSize: bytes.length },
    })
    busboy.on('field', (name: string, value: string) => {
      try {
        onField(name, value)
      } catch (error) {
        reject(error)
      }
    })
    busboy.on('partsLimit', () =>
      reject(new RelayError('invalid_request', `The body must have at most ${mostParts} fields.`)),
    )
    busboy.on('finish', resolve)
    busboy.on('error', reject)
    busboy.end(bytes)
  })
}
