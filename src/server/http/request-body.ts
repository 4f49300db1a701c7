import { isAscii } from 'node:buffer'
import { limits } from '../../domain/limits.js'
import { RelayError } from '../../errors.js'
import type { HttpRequest, RequestMetadata } from '../../net/server/http-request.js'
import { findRepeatedName, parseJson } from '../../util/text/parse-json.js'
import { parseForm, repeatedFieldError } from './form-body.js'
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
  return await parseFields(request, await readBody(request, maxBytes), files)
}

/** Parses a body as {@link readFields}. */
export async function parseFields(
  { headers }: RequestMetadata,
  body: RequestBody,
  files = false,
): Promise<BodyFields> {
  if (body.bytes.length === 0) return {}
  if (isJsonType(body.type)) return parseJsonObject(decodeUtf8(body))
  switch (body.type) {
    case 'application/x-www-form-urlencoded':
      return parseForm(decodeText(body))
    case 'multipart/form-data':
      if (!files) decodeText(body)
      return await parseMultipart(body.bytes, headers['content-type'] ?? '', files)
    default:
      throw mediaTypeError(
        'application/x-www-form-urlencoded, multipart/form-data or application/json',
      )
  }
}

export interface RequestBody {
  /** Media type in lower case; empty without `Content-Type`. */
  readonly type: string
  /** The charset in `Content-Type`, in lower case. */
  readonly charset: string | undefined
  readonly bytes: Buffer
}

/**
 * Reads the bytes of a request's body. Throws `unsupported_media_type`, `payload_too_large` and
 * `invalid_request`.
 */
export async function readBody(request: HttpRequest, maxBytes: number): Promise<RequestBody> {
  const type = parseMediaType(request.headers['content-type'])
  rejectEncoding(request)
  const bytes = request.arrivedBody ?? (await readBytes(request, maxBytes))
  if (bytes === undefined || bytes.length > maxBytes) throw bodyTooLongError(maxBytes)
  return { ...type, bytes }
}

/** JSON, or a type that is based on it (RFC 6839 section 3.1), such as `application/ld+json`. */
export function isJsonType(type: string): boolean {
  return type === 'application/json' || type === 'text/json' || /^[^/]+\/[^/]+\+json$/.test(type)
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

/**
 * An object among the fields of a request: of JSON, as its text, or with a field for each member,
 * such as `message[destination]`, as jQuery, axios and PHP write it.
 */
export function getObjectField(fields: BodyFields, name: string): object {
  const value = fields[name]
  const members = getBracketed(fields, name)
  if (value === undefined && members !== undefined) return members
  if (value === undefined) throw new RelayError('invalid_request', `\`${name}\` is required.`)
  if (members !== undefined) throw repeatedFieldError(name)
  const object = typeof value === 'string' ? parseUniqueJson(value) : value
  if (isObject(object)) return object
  throw new RelayError('invalid_parameter', `\`${name}\` must be a JSON object or its text.`)
}

function getBracketed(fields: BodyFields, name: string): BodyFields | undefined {
  const members: Record<string, unknown> = Object.create(null)
  for (const [key, value] of Object.entries(fields)) {
    if (!key.startsWith(`${name}[`) || !key.endsWith(']')) continue
    members[key.slice(name.length + 1, -1)] = value
  }
  return Object.keys(members).length === 0 ? undefined : members
}

/**
 * Parses JSON; undefined if it is malformed. Throws `invalid_request` for a name that occurs twice:
 * parsers differ in which one counts.
 */
export function parseUniqueJson(text: string): unknown {
  const value = parseJson(text)
  const repeated = isObject(value) || Array.isArray(value) ? findRepeatedName(text) : undefined
  if (repeated === undefined) return value
  throw repeatedFieldError(repeated)
}

export function parseJsonObject(text: string): BodyFields {
  const value = parseUniqueJson(text)
  if (isObject(value)) return value as BodyFields
  throw new RelayError('invalid_request', 'The body must be one JSON object.')
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const plainTypes = new Set(['application/json', 'application/x-www-form-urlencoded'])

function parseMediaType(header = ''): Pick<RequestBody, 'type' | 'charset'> {
  if (plainTypes.has(header)) return { type: header, charset: undefined }
  const [type = '', ...parameters] = header.split(';').map(part => part.trim().toLowerCase())
  const charset = parameters.find(parameter => parameter.startsWith('charset='))
  return { type, charset: charset?.slice('charset='.length).replaceAll('"', '') }
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

/** Decodes JSON, which is UTF-8 whatever charset its type names (RFC 8259 sections 8.1 and 11). */
export function decodeUtf8({ bytes, charset }: RequestBody): string {
  try {
    return utf8.decode(bytes)
  } catch {
    const named = charset ? `; its \`Content-Type\` names ${charset}` : ''
    throw new RelayError('invalid_request', `The body is not UTF-8${named}.`, {
      hint: 'Encode it in UTF-8.',
    })
  }
}

/** Decodes a form or a text. In every charset that such a type names, ASCII bytes are ASCII. */
export function decodeText(body: RequestBody): string {
  const { bytes, charset = '' } = body
  if (['', 'utf-8', 'utf8'].includes(charset) || isAscii(bytes)) return decodeUtf8(body)
  throw new RelayError(
    'unsupported_media_type',
    `The charset ${charset} in \`Content-Type\` is not supported; send the body in UTF-8.`,
  )
}
