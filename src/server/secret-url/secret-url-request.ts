import { parseInput } from '../../contract/schema/parse.js'
import { secretUrlDestination, secretUrlText } from '../../contract/secret-url/secret-url-schema.js'
import type { SecretUrl } from '../../domain/account/secret-url.js'
import { fillTemplate, splitTemplate } from '../../domain/bulk/text-template.js'
import { limits } from '../../domain/limits.js'
import { getTypedNumber } from '../../domain/sms/phone-number.js'
import { truncateText } from '../../domain/sms/truncate-text.js'
import { RelayError } from '../../errors.js'
import type { HttpRequest } from '../../net/server/http-request.js'
import { setFieldOnce } from '../http/form-body.js'
import { type BodyFields, parseUniqueJson, waitForBody } from '../http/request-body.js'
import { getIdempotencyKey } from '../http/request-headers.js'
import { getQuery } from '../http/request-query.js'
import type { SecretUrlText } from '../services/messages/secret-url-service.js'
import { readSecretUrlBody } from './secret-url-body.js'

export interface SecretUrlRequest {
  readonly fields: BodyFields
  /** Idempotency key of a secret URL's use from the header, else from the query parameter `key`. */
  readonly key: string | undefined
}

/**
 * Reads the query of a secret URL and the body of a POST. Throws `invalid_request`, also for a
 * repeated field.
 */
export async function readSecretUrlRequest(
  request: HttpRequest,
  secretUrl: SecretUrl,
): Promise<SecretUrlRequest> {
  const { key, ...parameters } = getQuery(request)
  // Without a prototype, so that `constructor` is not a field of a request to a secret URL.
  const fields: Record<string, unknown> = Object.assign(Object.create(null), parameters)
  if (request.method === 'POST') addBody(fields, await readSecretUrlBody(request, secretUrl))
  else if (request.arrivedBody === undefined) await waitForBody(request, limits.openBody)
  return { fields, key: getIdempotencyKey(request) ?? checkKey(key) }
}

function addBody(fields: Record<string, unknown>, body: BodyFields | string): void {
  if (typeof body === 'string') {
    // A plain text has no name of its own, so that a field in the query counts.
    if (body !== '') fields.message ??= body
    return
  }
  for (const [name, value] of Object.entries(body)) setFieldOnce(fields, name, value)
}

export interface SecretUrlMessage extends SecretUrlText {
  /** What is wrong with the text of the message: sentences. */
  readonly warnings: readonly string[]
}

/**
 * Reads recipients and text from an HTTP request to a secret URL. Throws `invalid_request` and
 * `invalid_parameter`.
 */
export function createSecretUrlMessage(secretUrl: SecretUrl, fields: BodyFields): SecretUrlMessage {
  return { destinations: getDestinations(secretUrl, fields), ...getText(secretUrl, fields) }
}

export function formatField(fields: BodyFields, name: string): string {
  const value = getValue(fields, name)
  return isPlain(value) ? String(value) : ''
}

function getDestinations({ destinations }: SecretUrl, fields: BodyFields): readonly string[] {
  const destination = getValue(fields, 'destination')
  if (destinations === undefined)
    return [parseInput(secretUrlDestination, { destination }).destination]
  if (destination === undefined || destinations.some(each => areSame(each, destination)))
    return destinations
  throw new RelayError('invalid_parameter', 'This secret URL sets `destination`; leave it out.')
}

function areSame(number: string, other: unknown): boolean {
  return typeof other === 'string' && getTypedNumber(other) === getTypedNumber(number)
}

/** Forms send line breaks as CR LF; messages have LF. */
function getText(
  { template, length = limits.text }: SecretUrl,
  fields: BodyFields,
): Pick<SecretUrlMessage, 'text' | 'warnings'> {
  const { message, missing } =
    template === undefined
      ? { message: getMessage(fields), missing: [] }
      : fillText(template, fields)
  const whole = typeof message === 'string' ? message.replaceAll('\r\n', '\n') : message
  const cut = typeof whole === 'string' ? truncateText(whole, length) : whole
  const warnings = missing.map(name => `\`${name}\` is missing or empty.`)
  return {
    text: parseInput(secretUrlText, { message: cut }).message,
    warnings: cut === whole ? warnings : [...warnings, `The text was cut to ${length} characters.`],
  }
}

function getMessage(fields: BodyFields): unknown {
  const message = getValue(fields, 'message')
  if (message !== undefined) return message
  throw new RelayError('invalid_request', '`message` is required.', {
    hint:
      'Send it as a field or as plain text, or create the secret URL with a text of the fields ' +
      'that are sent, such as `{title}`.',
  })
}

function fillText(
  template: string,
  fields: BodyFields,
): { readonly message: string; readonly missing: readonly string[] } {
  const { text, missing } = fillTemplate(splitTemplate(template), name => readText(fields, name))
  if (text.trim() !== '') return { message: text, missing }
  const names = missing.map(name => `\`${name}\``).join(', ')
  throw new RelayError('invalid_request', `The text is empty without ${names || 'fields'}.`, {
    hint: 'Send one of them, or create the secret URL with a text, such as `{a|"no summary"}`.',
  })
}

function readText(fields: BodyFields, name: string): string | undefined {
  const value = getValue(fields, name) ?? undefined
  if (value === undefined || isPlain(value)) return value?.toString()
  throw new RelayError('invalid_parameter', `\`${name}\` must be a text, a number, true or false.`)
}

/** The value of a field, `a.b` also of the member b of an object a, or of JSON in a field a. */
function getValue(fields: unknown, name: string): unknown {
  const object = typeof fields === 'string' ? parseUniqueJson(fields) : fields
  if (typeof object !== 'object' || object === null) return undefined
  if (Object.hasOwn(object, name)) return (object as BodyFields)[name]
  const dot = name.indexOf('.')
  if (dot === -1 || !Object.hasOwn(object, name.slice(0, dot))) return undefined
  return getValue((object as BodyFields)[name.slice(0, dot)], name.slice(dot + 1))
}

function isPlain(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

function checkKey(key: string | undefined): string | undefined {
  if (key === undefined || (key !== '' && key.length <= limits.idempotencyKey)) return key
  throw new RelayError(
    'invalid_parameter',
    `\`key\` must have 1 to ${limits.idempotencyKey} characters.`,
  )
}
