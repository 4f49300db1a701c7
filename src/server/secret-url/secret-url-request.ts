import { parseInput } from '../../contract/schema/parse.js'
import { secretUrlDestination, secretUrlText } from '../../contract/secret-url/secret-url-schema.js'
import type { SecretUrl } from '../../domain/account/secret-url.js'
import { fillTemplate } from '../../domain/bulk/text-template.js'
import { limits } from '../../domain/limits.js'
import { RelayError } from '../../errors.js'
import type { HttpRequest } from '../../net/server/http-request.js'
import { parseForm, setFieldOnce } from '../http/form-body.js'
import { type BodyFields, readFields, waitForBody } from '../http/request-body.js'
import { getIdempotencyKey } from '../http/request-headers.js'
import type { SecretUrlText } from '../services/messages/secret-url-service.js'

export interface SecretUrlRequest {
  readonly fields: BodyFields
  /** Idempotency key of a secret URL's use from the header, else from the query parameter `key`. */
  readonly key: string | undefined
}

/**
 * Reads the query of a secret URL and the body of a POST. Throws `invalid_request`, also for a
 * repeated field.
 */
export async function readSecretUrlRequest(request: HttpRequest): Promise<SecretUrlRequest> {
  const [, query = ''] = /\?([^#]*)/.exec(request.url ?? '') ?? []
  const { key, ...parameters } = restorePlus(parseForm(query))
  // Without a prototype, so that `constructor` is not a field of a request to a secret URL.
  const fields: Record<string, unknown> = Object.assign(Object.create(null), parameters)
  const isPost = request.method === 'POST'
  const isJson = /^application\/json\b/i.test(request.headers['content-type'] ?? '')
  if (!isPost && request.arrivedBody === undefined) await waitForBody(request, limits.openBody)
  const body = isPost ? await readFields(request) : {}
  for (const [name, value] of Object.entries(isJson ? body : restorePlus(body))) {
    setFieldOnce(fields, name, value)
  }
  return { fields, key: getIdempotencyKey(request) ?? checkKey(key) }
}

/**
 * Reads recipients and text from an HTTP request to a secret URL. Throws `invalid_request` and
 * `invalid_parameter`.
 */
export function createSecretUrlMessage(secretUrl: SecretUrl, fields: BodyFields): SecretUrlText {
  return { destinations: getDestinations(secretUrl, fields), text: getText(secretUrl, fields) }
}

export function formatField(fields: BodyFields, name: string): string {
  const value = getValue(fields, name)
  return isPlain(value) ? String(value) : ''
}

function getDestinations({ destinations }: SecretUrl, fields: BodyFields): readonly string[] {
  const destination = getValue(fields, 'destination')
  if (destinations === undefined)
    return [parseInput(secretUrlDestination, { destination }).destination]
  if (destination === undefined || destinations.some(each => each === destination))
    return destinations
  throw new RelayError('invalid_parameter', 'This secret URL sets `destination`; leave it out.')
}

/** Forms send line breaks as CR LF; messages have LF. */
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

/**
 * A plus sign of a phone number that the client of a secret URL did not encode arrives as a space.
 */
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
