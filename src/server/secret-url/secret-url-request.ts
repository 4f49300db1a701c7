import { parseInput } from '../../contract/schema/parse.js'
import { secretUrlDestination, secretUrlText } from '../../contract/secret-url-schema.js'
import type { SecretUrl } from '../../domain/account/secret-url.js'
import { fillTemplate } from '../../domain/bulk/text-template.js'
import { limits } from '../../domain/limits.js'
import { RelayError } from '../../errors.js'
import type { HttpRequest } from '../../net/server/http-request.js'
import { parseForm, setFieldOnce } from '../http/form-body.js'
import { type BodyFields, readFields } from '../http/request-body.js'
import { getIdempotencyKey } from '../http/request-headers.js'
import type { SecretUrlText } from '../services/messages/secret-url-service.js'

/** What a request to a secret URL says. */
export interface SecretUrlRequest {
  /** The fields of query and body. */
  readonly fields: BodyFields
  /** That of the header, else the parameter `key` of the query. */
  readonly key: string | undefined
}

/** Reads query and, with POST, body. Throws `invalid_request`, also for a field given twice, and as a body does. */
export async function readSecretUrlRequest(request: HttpRequest): Promise<SecretUrlRequest> {
  const [, query = ''] = /\?([^#]*)/.exec(request.url ?? '') ?? []
  const { key, ...asked } = restorePlus(parseForm(query))
  // Without a prototype: no field is there that nobody sent.
  const fields: Record<string, unknown> = Object.assign(Object.create(null), asked)
  const isPost = request.method === 'POST'
  const isJson = /^application\/json\b/i.test(request.headers['content-type'] ?? '')
  const body = isPost ? await readFields(request) : {}
  for (const [name, value] of Object.entries(isJson ? body : restorePlus(body))) {
    setFieldOnce(fields, name, value)
  }
  return { fields, key: getIdempotencyKey(request) ?? checkKey(key) }
}

/** What a secret URL makes of the fields. Throws `invalid_request` and `invalid_parameter`, naming the field. */
export function createSecretUrlMessage(capability: SecretUrl, fields: BodyFields): SecretUrlText {
  return { destinations: getDestinations(capability, fields), text: getText(capability, fields) }
}

/** A field as text, for a page that asks for it; empty where there is none. */
export function formatField(fields: BodyFields, name: string): string {
  const value = getValue(fields, name)
  return isPlain(value) ? String(value) : ''
}

function getDestinations({ destinations }: SecretUrl, fields: BodyFields): readonly string[] {
  const given = getValue(fields, 'destination')
  if (destinations === undefined)
    return [parseInput(secretUrlDestination, { destination: given }).destination]
  if (given === undefined || destinations.some(each => each === given)) return destinations
  throw new RelayError(
    'invalid_parameter',
    '`destination` is set by this secret URL; leave it out.',
  )
}

/** Forms send line breaks as CR LF; a text has them as LF. */
function getText({ template }: SecretUrl, fields: BodyFields): string {
  const message =
    template === undefined
      ? getValue(fields, 'message')
      : fillTemplate(template, name => requireText(fields, name))
  return parseInput(secretUrlText, { message }).message.replaceAll('\r\n', '\n')
}

function requireText(fields: BodyFields, name: string): string {
  const value = getValue(fields, name)
  if (isPlain(value)) return String(value)
  if (value === undefined || value === null) {
    throw new RelayError('invalid_request', `\`${name}\` is required.`)
  }
  throw new RelayError('invalid_parameter', `\`${name}\` must be a text, a number, true or false.`)
}

/** The value of a field; `a.b` is a field of that name, else `b` within `a`. */
function getValue(fields: unknown, name: string): unknown {
  if (typeof fields !== 'object' || fields === null) return undefined
  if (Object.hasOwn(fields, name)) return (fields as BodyFields)[name]
  const dot = name.indexOf('.')
  if (dot === -1 || !Object.hasOwn(fields, name.slice(0, dot))) return undefined
  return getValue((fields as BodyFields)[name.slice(0, dot)], name.slice(dot + 1))
}

function isPlain(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

/** The plus of a number that nobody encoded: it arrives as a space. */
function restorePlus<T extends BodyFields>(fields: T): T {
  const { destination } = fields
  if (typeof destination !== 'string' || !/^ \d/.test(destination)) return fields
  return { ...fields, destination: `+${destination.slice(1)}` }
}

function checkKey(key: string | undefined): string | undefined {
  if (key === undefined || (key !== '' && key.length <= limits.idempotencyKey)) return key
  throw new RelayError(
    'invalid_parameter',
    `\`key\` must have 1 to ${limits.idempotencyKey} characters.`,
  )
}
