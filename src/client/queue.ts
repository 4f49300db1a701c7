import * as z from 'zod/mini'
import { RelayError } from '../errors.js'
import type { CallOptions } from './subscription-client.js'
import type { Transport } from './transport.js'

const queueReply = z.object({
  queue: z.object({
    waiting: z.number(),
    due: z.number(),
    leased: z.number(),
    oldest_due_on: z.optional(z.nullable(z.string())),
  }),
})

/** What waits at a relay. */
export type QueueFields = z.infer<typeof queueReply>['queue']

/** GET /message/queue: what waits in the account (extension); undefined where the relay does not know it. */
export async function readQueue(
  transport: Transport,
  options: CallOptions = {},
): Promise<QueueFields | undefined> {
  try {
    return (await transport.call('GET', '/message/queue', queueReply, options)).queue
  } catch (error) {
    const missing = ['not_found', 'not_a_message', 'method_not_allowed', 'insufficient_scope']
    if (error instanceof RelayError && missing.includes(error.code)) return undefined
    throw error
  }
}
