import * as z from 'zod/mini'
import { pageLinks } from './schema/list-page-schema.js'

/**
 * The header fields that name a phone in NEXT, reports and GET /message/queue (extension). The last
 * one, only in GET /message/queue, is the end of its quiet hours, UTC `YYYY-MM-DD HH:MM:SS`.
 */
export const phoneHeaders = {
  name: 'x-phone-name',
  driver: 'x-phone-driver',
  quietUntil: 'x-phone-quiet-until',
} as const

/** JSON fields of a phone (extension); times are UTC `YYYY-MM-DD HH:MM:SS`. */
const phoneFields = z.lazy(() =>
  z.object({
    name: z.string(),
    driver: z.string(),
    /** First NEXT of the phone; null if it has not sent one yet. */
    first_next_on: z.nullable(z.string()),
    /** Last NEXT of the phone, or the end of its wait; null if it has not sent one. */
    last_next_on: z.nullable(z.string()),
    /**
     * Reply field: last request of any kind by the phone. Old relays omit this and the next two
     * fields.
     */
    last_seen_on: z.nullish(z.string()),
    /** End of the phone's current quiet hours; null outside them. */
    quiet_until: z.nullish(z.string()),
    /** End of the phone's last quiet hours; null during them and if it had no quiet hours. */
    last_quiet_on: z.nullish(z.string()),
    last_success_on: z.nullable(z.string()),
    last_failure_on: z.nullable(z.string()),
    /** Whether the phone sent nothing for five minutes in which the relay ran. */
    silent: z.boolean(),
  }),
)

export const phoneReply = z.lazy(() => z.object({ phone: phoneFields }))

export const phoneListReply = z.lazy(() =>
  z.object({ phones: z.array(phoneReply), links: pageLinks }),
)

/**
 * JSON fields of an account's message queue (extension); `due` and `leased` are exact to the
 * second.
 */
const queueFields = z.lazy(() =>
  z.object({
    /** New and error messages in the queue: due, leased or for later. */
    waiting: z.number(),
    due: z.number(),
    leased: z.number(),
    /** Due time of the next message in the queue, UTC; null if no message is due. */
    oldest_due_on: z.nullable(z.string()),
    /** Time of this queue count on the relay's clock, UTC. */
    counted_on: z.string(),
  }),
)

export const queueReply = z.lazy(() => z.object({ queue: queueFields }))

export interface PresenceReport {
  /**
   * Request field: end of the phone's quiet hours, UTC `YYYY-MM-DD HH:MM:SS`. @default no quiet
   * hours
   */
  readonly quiet_until?: string
}

export type PhoneFields = z.infer<typeof phoneFields>
export type PhoneReply = z.infer<typeof phoneReply>
export type QueueFields = z.infer<typeof queueFields>
export type QueueReply = z.infer<typeof queueReply>
