import type { CallOptions } from '../../client/call-options.js'
import type { StatusClient } from '../../client/status-client.js'
import type { QueueFields } from '../../contract/phone-schema.js'
import { type ErrorCode, isRelayError } from '../../errors.js'

const unsupportedCodes: readonly ErrorCode[] = [
  'not_found',
  'not_a_message',
  'method_not_allowed',
  'insufficient_scope',
]

/** Gets the relay's count of waiting messages; undefined if the relay does not support this. */
export async function getQueueStatus(
  client: { readonly status: Pick<StatusClient, 'getQueue'> },
  options: CallOptions,
): Promise<QueueFields | undefined> {
  try {
    return await client.status.getQueue(options)
  } catch (error) {
    if (unsupportedCodes.some(code => isRelayError(error, code))) return undefined
    throw error
  }
}
