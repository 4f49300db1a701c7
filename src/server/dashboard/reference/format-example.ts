import { STATUS_CODES } from 'node:http'
import type { ErrorExample, OperationObject } from './openapi-document.js'

/** The example of an operation of the OpenAPI document, as text. */
export interface FormattedExample {
  /** Request line, header fields and body. */
  readonly request: string
  /** Status line, header fields and body. */
  readonly reply: string
}

/** Formats the example of an operation of the OpenAPI document; undefined without one. */
export function formatExample({
  'x-request': request,
  'x-reply': reply,
  requestBody,
  responses,
}: OperationObject): FormattedExample | undefined {
  if (request === undefined || reply === undefined) return undefined
  const contents = Object.values(requestBody?.content ?? {})
  const sent = contents.find(({ example }) => example !== undefined)?.example
  const response = responses[reply.status]
  const content = response !== undefined && 'content' in response ? response.content : undefined
  const received = content?.['application/json']?.example
  return formatExchange({ ...request, body: sent }, reply, received)
}

/** Formats an example of an error. */
export function formatErrorExample({
  value,
  'x-request': request,
  'x-reply': reply,
}: ErrorExample): FormattedExample {
  return formatExchange(request, reply, value)
}

function formatExchange(
  { method, target, headers, body }: ErrorExample['x-request'],
  { status, headers: received }: ErrorExample['x-reply'],
  value: unknown,
): FormattedExample {
  return {
    request: format(`${method} ${target}`, headers, body),
    reply: format(`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, received, value),
  }
}

function format(
  start: string,
  headers: Readonly<Record<string, string>> = {},
  body: unknown,
): string {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [start, ...fields, ...(body === undefined ? [] : ['', toText(body)])].join('\n')
}

/** Formats JSON with each link on one line. */
function toText(value: unknown): string {
  const link = /\{\n\s*("method": "[^"\n]*"),\n\s*("url": "[^"\n]*")\n\s*\}/g
  return JSON.stringify(value, null, 2).replace(link, '{ $1, $2 }')
}
