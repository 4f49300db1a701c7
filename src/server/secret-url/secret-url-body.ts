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

/**
 * Reads the body of a POST to a secret URL: its fields, or plain text. A sender often cannot choose
 * how it posts: JSON is JSON whatever type it has, and what is neither JSON nor a form is text.
 */
export async function readSecretUrlBody(
  request: HttpRequest,
  secretUrl: SecretUrl,
): Promise<BodyFields | string> {
  const body = await readBody(request, limits.body)
  const { type, bytes } = body
  const isText = textTypes.has(type)
  const json = isText || isUtf8(bytes) ? parseJsonText(decodeUtf8(body)) : undefined
  if (json !== undefined) return json
  if (!isText || bytes.length === 0) return await parseFields(request, body)
  const text = decodeText(body).trim()
  if (type !== 'text/plain' && isForm(text, type, secretUrl)) return parseForm(text)
  if (type !== formType || /\s/.test(text)) return text
  const decoded = decodePart(text, 'The text')
  // Percent-encoded JSON without a name: `curl --data-urlencode '{…}'`.
  return parseJsonText(decoded) ?? decoded
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
