import type { OperationObject } from './openapi-document.js'

/** The example of an operation of the OpenAPI document, as text. */
interface FormattedExample {
  /** Request line, header fields and body. */
  readonly request: string
  readonly status: string
  /** The body of the reply; undefined if it has none. */
  readonly reply: string | undefined
}

/** Formats the example of an operation of the OpenAPI document; undefined without one. */
export function formatExample({
  'x-request': request,
  requestBody,
  responses,
}: OperationObject): FormattedExample | undefined {
  if (request === undefined) return undefined
  const contents = Object.values(requestBody?.content ?? {})
  const body = contents.find(({ example }) => example !== undefined)?.example
  const lines = [
    `${request.method} ${request.target}`,
    ...Object.entries(request.headers ?? {}).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : ['', toText(body)]),
  ]
  const [found] = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const [status = '', response] = found ?? []
  const content = response !== undefined && 'content' in response ? response.content : undefined
  const reply = content?.['application/json']?.example
  return {
    request: lines.join('\n'),
    status,
    reply: reply === undefined ? undefined : toText(reply),
  }
}

/** Formats JSON with each link on one line. */
function toText(value: unknown): string {
  const link = /\{\n\s*("method": "[^"\n]*"),\n\s*("url": "[^"\n]*")\n\s*\}/g
  return JSON.stringify(value, null, 2).replace(link, '{ $1, $2 }')
}
