import { isUtf8 } from 'node:buffer'
import { getFormFields, type SecretUrl } from '../../domain/account/secret-url.js'
import { limits } from '../../domain/limits.js'
import type { HttpRequest } from '../../net/server/http-request.js'
import { decodePart, parseForm } from '../http/form-body.js'
import {
  type BodyFields,
  decodeText,
  decodeUtf8,
  isObject,
  parseFields,
  parseUniqueJson,
  readBody,
} from '../http/request-body.js'

const formType = 'application/x-www-form-urlencoded'
const textTypes = new Set([formType, 'text/plain', ''])

/** The fields of a body of a request to a secret URL, and how it was written. */
export interface SecretUrlBody {
  readonly fields: BodyFields
  readonly kind: 'json' | 'form' | 'text'
}

/**
 * Reads the body of a POST to a secret URL. Its sender often cannot choose how it posts: JSON is
 * JSON whatever type it has, and what is neither JSON nor a form is the text of the message.
 */
export async function readSecretUrlBody(
  request: HttpRequest,
  secretUrl: SecretUrl,
): Promise<SecretUrlBody> {
  const body = await readBody(request, limits.body)
  if (body.type === 'multipart/form-data' || body.bytes.length === 0)
    return { fields: await parseFields(request, body), kind: 'form' }
  const isText = textTypes.has(body.type)
  const json = isText || isUtf8(body.bytes) ? parseJsonText(decodeUtf8(body)) : undefined
  if (json !== undefined) return { fields: json, kind: 'json' }
  if (!isText) return { fields: await parseFields(request, body), kind: 'json' }
  const text = decodeText(body).trim()
  if (body.type !== 'text/plain' && isForm(text, body.type, secretUrl))
    return { fields: parseForm(text), kind: 'form' }
  const isEncoded = body.type === formType && !/\s/.test(text)
  return readText(isEncoded ? decodePart(text, 'The text') : text)
}

/** JSON that is percent-encoded has no field name before it: `curl --data-urlencode '{…}'`. */
function readText(text: string): SecretUrlBody {
  const json = parseJsonText(text)
  if (json !== undefined) return { fields: json, kind: 'json' }
  return { fields: text === '' ? {} : { message: text }, kind: 'text' }
}

/**
 * Whether a text is a form, and not `curl -d "Backup of a=b failed"`: it has a field that the
 * secret URL uses, or is percent-encoded as forms are.
 */
function isForm(text: string, type: string, secretUrl: SecretUrl): boolean {
  const names = text.split('&').flatMap(pair => (pair.includes('=') ? pair.split('=', 1) : []))
  if (names.length === 0) return false
  const used = listUsedFields(secretUrl)
  return names.some(name => used.has(name)) || (type === formType && !/\s/.test(text))
}

function listUsedFields(secretUrl: SecretUrl): ReadonlySet<string> {
  const names = getFormFields(secretUrl).map(({ name }) => name)
  return new Set([
    'destination',
    'message',
    ...names,
    ...names.map(name => name.split('.', 1)[0] ?? ''),
  ])
}

function parseJsonText(text: string): BodyFields | undefined {
  if (!text.trimStart().startsWith('{')) return undefined
  const value = parseUniqueJson(text)
  return isObject(value) ? (value as BodyFields) : undefined
}
