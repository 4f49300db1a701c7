import { STATUS_CODES } from 'node:http'
import type { ErrorExample, OperationObject } from './openapi-document.js'

export interface FormattedExample {
  readonly request: string
  /** Status line, header fields and body. */
  readonly reply: string
}

export function formatExample(
  { 'x-request': request, 'x-reply': reply, requestBody, responses }: OperationObject,
  shorten: (body: unknown) => unknown = body => body,
): FormattedExample | undefined {
  if (request === undefined || reply === undefined) return undefined
  const contents = Object.values(requestBody?.content ?? {})
  const sent = contents.find(({ example }) => example !== undefined)?.example
  const response = responses[reply.status]
  const content = response !== undefined && 'content' in response ? response.content : undefined
  const received = content?.['application/json']?.example
  return formatExchange({ ...request, body: shorten(sent) }, reply, shorten(received))
}

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
  return [start, ...fields, ...(body === undefined ? [] : ['', formatJson(body)])].join('\n')
}

const maxColumns = 100

/** Formats JSON, each list and object that fits on one line on one line. */
function formatJson(value: unknown, indent = ''): string {
  const line = JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ')
  const isLong = indent.length + line.length > maxColumns
  if (!isLong || typeof value !== 'object' || value === null) return line
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const lines = Object.entries(value).map(
    ([name, each]) =>
      `${inner}${isList ? '' : `${JSON.stringify(name)}: `}${formatJson(each, inner)}`,
  )
  const [open, close] = isList ? '[]' : '{}'
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`
}
