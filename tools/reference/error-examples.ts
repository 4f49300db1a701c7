import type { Operation } from '../../src/contract/api/define-operation.js'
import type { ErrorReply } from '../../src/contract/user-schema.js'
import type { ErrorExample } from '../../src/server/dashboard/reference/openapi-document.js'
import type { Example } from './document.js'

/** The examples of errors as components of an OpenAPI document, by the code of the error. */
export function createErrorExamples(
  examples: readonly Example[],
  tables: Readonly<Record<string, Operation>>,
): Record<string, ErrorExample> {
  const failed = examples.filter(({ reply }) => reply.status >= 400)
  return Object.fromEntries(
    failed.map(({ operation, request, reply: { body, ...reply } }) => {
      const value = body as ErrorReply
      const { method = '', summary = '' } = tables[operation] ?? {}
      const example = { summary, value, 'x-request': { method, ...request }, 'x-reply': reply }
      return [value.error, example]
    }),
  )
}
