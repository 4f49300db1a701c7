import type { IncomingMessage } from 'node:http'
import { parse } from '../../contract/schema/parse.js'
import { urlDestination, urlText } from '../../contract/secret-url-schema.js'
import type { Capability } from '../../domain/account/secret-url.js'
import { fillTemplate } from '../../domain/bulk/text-template.js'
import { limits } from '../../domain/limits.js'
import { RelayError } from '../../errors.js'
import { parseForm, setOnce } from '../http/form-body.js'
import { type Fields, readFields } from '../http/request-body.js'
import { idempotencyKey } from '../http/request-headers.js'
import type { UrlDraft } from '../services/messages/secret-url-service.js'

/** What a request to a secret URL says. */
export interface UrlRequest {
  /** The fields of query and body. */
  readonly fields: Fields
  /** That of the header, else the parameter `key` of the query. */
  readonly key: string | undefined
}

/** Reads query and, with POST, body. Throws `invalid_request`, also for a field given twice, and as a body does. */
export async function readUrlRequest(request: IncomingMessage): Promise<UrlRequest> {
  const [, query = ''] = /\?([^#]*)/.exec(request.url ?? '') ?? []
  const { key, ...asked } = withPlus(parseForm(query))
  // Without a prototype: no field is there that nobody sent.
  const fields: Record<string, unknown> = Object.assign(Object.create(null), asked)
  const isPost = request.method === 'POST'
  const isJson = /^application\/json\b/i.test(request.headers['content-type'] ?? '')
  const body = isPost ? await readFields(request) : {}
  for (const [name, value] of Object.entries(isJson ? body : withPlus(body))) {
    setOnce(fields, name, value)
  }
  return { fields, key: idempotencyKey(request) ?? checkedKey(key) }
}

/** What a secret URL makes of the fields. Throws `invalid_request` and `invalid_parameter`, naming the field. */
export function urlDraft(capability: Capability, fields: Fields): UrlDraft {
  return { destinations: destinationsOf(capability, fields), text: textOf(capability, fields) }
}

/** A field as text, for a page that asks for it; empty where there is none. */
export function shownField(fields: Fields, name: string): string {
  const value = valueAt(fields, name)
  return isPlain(value) ? String(value) : ''
}

function destinationsOf({ destinations }: Capability, fields: Fields): readonly string[] {
  const given = valueAt(fields, 'destination')
  if (destinations === undefined) return [parse(urlDestination, { destination: given }).destination]
  if (given === undefined || destinations.some(each => each === given)) return destinations
  throw new RelayError(
    'invalid_parameter',
    '`destination` is set by this secret URL; leave it out.',
  )
}

/** Forms send line breaks as CR LF; a text has them as LF. */
function textOf({ template }: Capability, fields: Fields): string {
  const message =
    template === undefined
      ? valueAt(fields, 'message')
      : fillTemplate(template, name => neededText(fields, name))
  return parse(urlText, { message }).message.replaceAll('\r\n', '\n')
}

function neededText(fields: Fields, name: string): string {
  const value = valueAt(fields, name)
  if (isPlain(value)) return String(value)
  if (value === undefined || value === null) {
    throw new RelayError('invalid_request', `\`${name}\` is required.`)
  }
  throw new RelayError('invalid_parameter', `\`${name}\` must be a text, a number, true or false.`)
}

/** The value of a field; `a.b` is a field of that name, else `b` within `a`. */
function valueAt(fields: unknown, name: string): unknown {
  if (typeof fields !== 'object' || fields === null) return undefined
  if (Object.hasOwn(fields, name)) return (fields as Fields)[name]
  const dot = name.indexOf('.')
  if (dot === -1 || !Object.hasOwn(fields, name.slice(0, dot))) return undefined
  return valueAt((fields as Fields)[name.slice(0, dot)], name.slice(dot + 1))
}

function isPlain(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

/** The plus of a number that nobody encoded: it arrives as a space. */
function withPlus<T extends Fields>(fields: T): T {
  const { destination } = fields
  if (typeof destination !== 'string' || !/^ \d/.test(destination)) return fields
  return { ...fields, destination: `+${destination.slice(1)}` }
}

function checkedKey(key: string | undefined): string | undefined {
  if (key === undefined || (key !== '' && key.length <= limits.idempotencyKey)) return key
  throw new RelayError(
    'invalid_parameter',
    `\`key\` must have 1 to ${limits.idempotencyKey} characters.`,
  )
}
