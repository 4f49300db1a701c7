import { limits } from '../../domain/limits.js'
import { RelayError } from '../../errors.js'
import type { HttpRequest, RequestMetadata } from '../../net/server/http-request.js'
import { parseForm } from './form-body.js'
import { parseMultipart } from './multipart-body.js'

/** The fields of a request's body; values of forms are strings. */
export type BodyFields = Readonly<Record<string, unknown>>

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/**
 * Reads a body of at most `most` bytes as form, multipart or JSON. Throws `unsupported_media_type`,
 * `payload_too_large` and `invalid_request` (README: request bodies).
 *
 * @param files whether files of a multipart body are fields, too: as their bytes
 */
export async function readFields(
  request: HttpRequest,
  most: number = limits.body,
  files = false,
): Promise<BodyFields> {
  const type = parseMediaType(request.headers['content-type'])
  rejectEncoding(request)
  const bytes = await readBytes(request, most)
  if (bytes === undefined) {
    throw new RelayError('payload_too_large', `The body must have at most ${most} bytes.`)
  }
  if (bytes.length === 0) return {}
  switch (type) {
    case 'application/x-www-form-urlencoded':
      return parseForm(decodeUtf8(bytes))
    case 'multipart/form-data':
      if (!files) decodeUtf8(bytes)
      return await parseMultipart(bytes, request.headers['content-type'] ?? '', files)
    case 'application/json':
      return parseJson(decodeUtf8(bytes))
    default:
      throw new RelayError(
        'unsupported_media_type',
        'The body must be application/x-www-form-urlencoded, multipart/form-data or application/json, in UTF-8; name it in `Content-Type`.',
      )
  }
}

/** A value that may be an object or the JSON text of one. Throws `invalid_parameter`. */
export function getObjectField(fields: BodyFields, name: string): unknown {
  const value = fields[name]
  if (value === undefined) throw new RelayError('invalid_request', `\`${name}\` is required.`)
  const object = typeof value === 'string' ? parseText(value) : value
  if (typeof object === 'object' && object !== null && !Array.isArray(object)) return object
  throw new RelayError(
    'invalid_parameter',
    `\`${name}\` must be a JSON object, or the text of one.`,
  )
}

/** The `filter` of a query string: the JSON text of an object. Throws `invalid_parameter`. */
export function parseFilterParameter(text: unknown): unknown {
  if (text === undefined) return {}
  return getObjectField({ filter: typeof text === 'string' ? text : null }, 'filter')
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The usual ones, as nearly everyone writes them. */
const plainTypes = new Set(['application/json', 'application/x-www-form-urlencoded'])

/** The media type in lower case; empty where the text is not UTF-8. */
function parseMediaType(header: string | undefined): string {
  if (header !== undefined && plainTypes.has(header)) return header
  const [name = '', ...parameters] = (header ?? '')
    .split(';')
    .map(part => part.trim().toLowerCase())
  const charset = parameters.find(parameter => parameter.startsWith('charset='))
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset)
  return isUtf8 ? name : ''
}

function rejectEncoding({ headers }: RequestMetadata): void {
  const encoding = headers['content-encoding']
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return
  throw new RelayError(
    'unsupported_media_type',
    'A compressed body is not understood; send it plain.',
  )
}

async function readBytes(request: HttpRequest, most: number): Promise<Buffer | undefined> {
  try {
    return await request.readBody(most)
  } catch (cause) {
    throw new RelayError('invalid_request', 'The body broke off.', { cause })
  }
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new RelayError('invalid_request', 'The body is not UTF-8.')
  }
}

function parseJson(text: string): BodyFields {
  const value = parseText(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as BodyFields
  throw new RelayError('invalid_request', 'The body must be one JSON object.')
}
