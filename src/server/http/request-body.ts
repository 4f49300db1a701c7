import { limits } from '../../domain/limits.js'
import { RelayError } from '../../errors.js'
import type { HttpRequest, RequestMetadata } from '../../net/server/http-request.js'
import { parseJson } from '../../util/text/parse-json.js'
import { parseForm } from './form-body.js'
import { parseMultipart } from './multipart-body.js'

export type BodyFields = Readonly<Record<string, unknown>>

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/**
 * Reads a request's body as form, multipart or JSON, by its content type. Throws
 * `unsupported_media_type`, `payload_too_large` and `invalid_request`.
 * @param maxBytes maximum length of the body
 * @param files whether files of a multipart body become fields with their bytes
 */
export async function readFields(
  request: HttpRequest,
  maxBytes: number = limits.body,
  files = false,
): Promise<BodyFields> {
  const { type, bytes } = await readBody(request, maxBytes)
  if (bytes.length === 0) return {}
  switch (type) {
    case 'application/x-www-form-urlencoded':
      return parseForm(decodeUtf8(bytes))
    case 'multipart/form-data':
      if (!files) decodeUtf8(bytes)
      return await parseMultipart(bytes, request.headers['content-type'] ?? '', files)
    case 'application/json':
      return parseJsonBody(decodeUtf8(bytes))
    default:
      throw mediaTypeError(
        'application/x-www-form-urlencoded, multipart/form-data or application/json',
      )
  }
}

/**
 * Reads the bytes of a request's body, and its media type in lower case; that is empty if the
 * charset is not UTF-8. Throws `unsupported_media_type`, `payload_too_large` and `invalid_request`.
 */
export async function readBody(
  request: HttpRequest,
  maxBytes: number,
): Promise<{ readonly type: string; readonly bytes: Buffer }> {
  const type = parseMediaType(request.headers['content-type'])
  rejectEncoding(request)
  const bytes = request.arrivedBody ?? (await readBytes(request, maxBytes))
  if (bytes === undefined || bytes.length > maxBytes) throw bodyTooLongError(maxBytes)
  return { type, bytes }
}

export function mediaTypeError(allowed: string): RelayError {
  return new RelayError(
    'unsupported_media_type',
    `The body must be ${allowed}, in UTF-8. Name its type in \`Content-Type\`.`,
  )
}

/**
 * Waits until all of a request has arrived, for handlers that do not read its body: an incomplete
 * request has no effect. Throws `payload_too_large` and `invalid_request`.
 */
export async function waitForBody(
  request: HttpRequest,
  maxBytes: number = limits.body,
): Promise<void> {
  if ((await readBytes(request, maxBytes)) === undefined) throw bodyTooLongError(maxBytes)
}

export function getObjectField(fields: BodyFields, name: string): unknown {
  const value = fields[name]
  if (value === undefined) throw new RelayError('invalid_request', `\`${name}\` is required.`)
  const object = typeof value === 'string' ? parseJson(value) : value
  if (typeof object === 'object' && object !== null && !Array.isArray(object)) return object
  throw new RelayError('invalid_parameter', `\`${name}\` must be a JSON object or its text.`)
}

export function parseFilterParameter(text: unknown): unknown {
  if (text === undefined) return {}
  return getObjectField({ filter: typeof text === 'string' ? text : null }, 'filter')
}

const plainTypes = new Set(['application/json', 'application/x-www-form-urlencoded'])

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
    `The Content-Encoding ${encoding} is not supported; send the body uncompressed.`,
  )
}

async function readBytes(request: HttpRequest, maxBytes: number): Promise<Buffer | undefined> {
  try {
    return await request.readBody(maxBytes)
  } catch (cause) {
    throw new RelayError('invalid_request', 'The body is incomplete.', { cause })
  }
}

function bodyTooLongError(maxBytes: number): RelayError {
  return new RelayError('payload_too_large', `The body must have at most ${maxBytes} bytes.`)
}

export function decodeUtf8(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new RelayError('invalid_request', 'The body is not UTF-8.')
  }
}

function parseJsonBody(text: string): BodyFields {
  const value = parseJson(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as BodyFields
  throw new RelayError('invalid_request', 'The body must be one JSON object.')
}
