import * as z from 'zod/mini'
import { limits } from '../../domain/limits.js'
import { type HeaderChanges, isReservedHeader } from '../../domain/webhook/webhook-headers.js'
import { parseJson } from '../../util/text/parse-json.js'
import { describe, extension } from './describe.js'
import { httpToken } from './webhook-target.js'

const shape =
  `must be a JSON object of at most ${limits.webhookHeaders} header fields, ` +
  'such as {"Authorization": "Bearer SECRET"}'
const printable = /^[!-~](?:[\t -~]*[!-~])?$/

/**
 * Changes of the own header fields of a subscription's webhooks, in a form as JSON text: names are
 * tokens, values are printable ASCII (RFC 9110 section 5). Null removes a field, or all.
 */
export const webhookHeaders = z.lazy(() => {
  const schema = z.pipe(
    z.unknown(),
    z.transform((value, context): HeaderChanges | null => {
      const headers = typeof value === 'string' ? parseHeaders(value) : value
      const problem = findProblem(headers)
      if (problem !== undefined)
        context.issues.push({ code: 'custom', message: problem, input: '' })
      return headers as HeaderChanges | null
    }),
  )
  const description =
    'Header fields that each webhook gets, such as `Authorization`. No reply and no log shows ' +
    'the values. PATCH leaves fields that it does not name; null removes a field, and null or ' +
    '`{}` in place of the object all of them. A `url` on another server needs them again. In a ' +
    'form: JSON.'
  const value = { type: ['string', 'null'], maxLength: limits.headerValue }
  const replace = {
    type: ['object', 'null'],
    maxProperties: limits.webhookHeaders,
    propertyNames: { pattern: httpToken.source, maxLength: limits.headerName },
    additionalProperties: { ...value, pattern: printable.source },
    writeOnly: true,
  }
  return describe(schema, description, { replace, ...extension })
})

function parseHeaders(text: string): unknown {
  return text.trim() === '' ? null : parseJson(text)
}

/** Never repeats a value: it is a secret. */
function findProblem(headers: unknown): string | undefined {
  if (headers === null) return undefined
  if (typeof headers !== 'object' || Array.isArray(headers)) return shape
  const entries = Object.entries(headers)
  if (entries.length > limits.webhookHeaders) return shape
  const names = entries.map(([name]) => name.toLowerCase())
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) return `must not have ${JSON.stringify(twice)} twice, in any case`
  return entries.map(([name, value]) => findFieldProblem(name, value)).find(each => each)
}

function findFieldProblem(name: string, value: unknown): string | undefined {
  const shown = JSON.stringify(name.slice(0, limits.headerName))
  if (!httpToken.test(name) || name.length > limits.headerName)
    return `must not have the name ${shown}; use 1 to ${limits.headerName} letters, digits and -`
  if (isReservedHeader(name)) return `must not have ${shown}, which the relay sets itself`
  const isText = typeof value === 'string' && printable.test(value)
  if (value === null || (isText && value.length <= limits.headerValue)) return undefined
  return (
    `must have 1 to ${limits.headerValue} printable ASCII characters as the value of ${shown}, ` +
    'without spaces at the ends'
  )
}
