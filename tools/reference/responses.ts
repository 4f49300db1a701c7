import { type ApiErrorCode, apiErrors } from '../../src/contract/api/api-errors.js'
import type { Operation } from '../../src/contract/api/define-operation.js'
import type { JsonSchema } from '../../src/contract/schema/describe.js'
import { errorCodes } from '../../src/errors.js'

/** Every operation can answer these errors. */
const commonCodes: readonly ApiErrorCode[] = ['timed_out', 'internal_error', 'unavailable']

/** What an error means in every operation, where that is narrower than its code. */
const commonCauses: Operation['causes'] = { timed_out: 'The request took too long to arrive.' }

const errorHeaders: Readonly<Record<number, JsonSchema>> = {
  401: { 'WWW-Authenticate': toHeader('string', 'The scheme of the missing credentials.') },
  405: { Allow: toHeader('string', 'The methods of the path.') },
  429: { 'Retry-After': toHeader('integer', 'When to try again, in seconds.') },
  503: { 'Retry-After': toHeader('integer', 'When to try again, in seconds.') },
}

/** The header field of every reply. */
export const replyHeaders: JsonSchema = {
  'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
}

function toHeader(type: string, description: string): JsonSchema {
  return { description, schema: { type } }
}

/** The error responses of operations; those without a special cause are shared components. */
export class ErrorResponses {
  readonly components: Record<string, JsonSchema> = {}
  readonly #examples: Readonly<Record<string, object>>

  /** @param examples examples of errors by code, as components */
  constructor(examples: Readonly<Record<string, object>>) {
    this.#examples = examples
  }

  /** The error responses of an operation, by status. */
  create({ errors, causes }: Operation): Record<string, JsonSchema> {
    const codes = [...new Set([...errors, ...commonCodes])]
    const statuses = [...new Set(codes.map(code => apiErrors[code].status))].sort((a, b) => a - b)
    return Object.fromEntries(
      statuses.map(status => {
        const found = codes.filter(code => apiErrors[code].status === status)
        return [String(status), this.#create(status, found, causes)]
      }),
    )
  }

  #create(status: number, codes: readonly ApiErrorCode[], causes: Operation['causes']): JsonSchema {
    const response = createErrorResponse(status, codes, causes, this.#examples)
    if (codes.some(code => causes[code] !== undefined)) return response
    const name = codes.join('_or_')
    this.components[name] = response
    return { $ref: `#/components/responses/${name}` }
  }
}

function createErrorResponse(
  status: number,
  codes: readonly ApiErrorCode[],
  causes: Operation['causes'],
  examples: Readonly<Record<string, object>>,
): JsonSchema {
  const found = codes.filter(code => code in examples)
  const references = found.map(code => [code, { $ref: `#/components/examples/${code}` }])
  const errors = codes.map(code => ({
    code,
    cause: causes[code] ?? commonCauses[code] ?? toSentence(errorCodes[code]),
    remedy: apiErrors[code].remedy,
  }))
  const headers = errorHeaders[status]
  return {
    description: errors.map(each => `\`${each.code}\`: ${each.cause} ${each.remedy}`).join('\n\n'),
    headers: { ...replyHeaders, ...headers },
    content: {
      'application/json': {
        schema: {
          $ref: '#/components/schemas/Error',
          properties: { error: { enum: codes } },
        },
        ...(found.length === 0 ? {} : { examples: Object.fromEntries(references) }),
      },
    },
    'x-errors': errors,
  }
}

function toSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
