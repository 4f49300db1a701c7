import * as z from 'zod/mini'
import { describe, utcTime, whole } from './schema/describe.js'
import { pageLinks } from './schema/list-page-schema.js'

/**
 * The header fields that name a phone in NEXT, reports and GET /message/queue (extension). The
 * others are only in GET /message/queue: the end of its quiet hours, UTC `YYYY-MM-DD HH:MM:SS`, and
 * what it knows of its network, of which the operator is percent-encoded UTF-8.
 */
export const phoneHeaders = {
  name: 'x-phone-name',
  driver: 'x-phone-driver',
  quietUntil: 'x-phone-quiet-until',
  signal: 'x-phone-signal',
  operator: 'x-phone-operator',
  rate: 'x-phone-rate',
} as const

/** JSON fields of a phone (extension). Old relays omit those that may be absent. */
const phoneFields = z.lazy(() =>
  describe(
    z.object({
      name: describe(z.string(), 'The name of the phone; `unnamed` without one.'),
      driver: describe(z.string(), 'What connects it to a network.'),
      first_next_on: describe(
        z.nullable(z.string()),
        'Its first NEXT; null if it has not sent one.',
        utcTime,
      ),
      last_next_on: describe(
        z.nullable(z.string()),
        'Its last NEXT, or the end of the wait of that; null if it has not sent one.',
        utcTime,
      ),
      last_seen_on: describe(z.nullish(z.string()), 'Its last sign of life.', utcTime),
      quiet_until: describe(
        z.nullish(z.string()),
        'The end of its current quiet hours; null outside them.',
        utcTime,
      ),
      last_quiet_on: describe(
        z.nullish(z.string()),
        'The end of its last quiet hours; null during them, and if it had none.',
        utcTime,
      ),
      last_success_on: describe(z.nullable(z.string()), 'Its last report of success.', utcTime),
      last_failure_on: describe(z.nullable(z.string()), 'Its last report of failure.', utcTime),
      signal: describe(
        z.nullish(z.string()),
        'Its signal: `-71 dBm` or `60 %`, of several drivers `a: -71 dBm, b: 60 %`.',
      ),
      operator: describe(z.nullish(z.string()), 'The operator of its network; null if unknown.'),
      rate: describe(z.nullish(z.string()), 'Its maximum rate, in parts; null without one.'),
      network_on: describe(
        z.nullish(z.string()),
        'When it reported these three; null if it did not.',
        utcTime,
      ),
      silent: describe(z.boolean(), 'Whether it gave no sign of life for five minutes.'),
    }),
    'A phone.',
    { id: 'Phone' },
  ),
)

export const phoneReply = z.lazy(() => z.object({ phone: phoneFields }))

export const phoneListReply = z.lazy(() =>
  z.object({
    phones: describe(z.array(phoneReply), 'The phones, by name.'),
    links: pageLinks,
  }),
)

const queueFields = z.lazy(() =>
  describe(
    z.object({
      waiting: describe(z.number(), 'New and Error messages: due, leased or for later.', whole),
      due: describe(z.number(), 'Those that a phone can claim now.', whole),
      leased: describe(z.number(), 'Those that a phone holds.', whole),
      oldest_due_on: describe(
        z.nullable(z.string()),
        'Since when the next message is due; null if no message is due.',
        utcTime,
      ),
      counted_on: describe(z.string(), "The relay's time of this count.", utcTime),
    }),
    'The queue of the account.',
  ),
)

export const queueReply = z.lazy(() => z.object({ queue: queueFields }))

export interface PresenceReport {
  /**
   * Request field: end of the phone's quiet hours, UTC `YYYY-MM-DD HH:MM:SS`. @default no quiet
   * hours
   */
  readonly quiet_until?: string
  /**
   * Request field: the phone's signal, `-71 dBm`, `60 %` or `a: 60 %, b: 50 %`. @default unknown
   */
  readonly signal?: string
  /** Request field: the operator of the phone's network. @default unknown */
  readonly operator?: string
  /** Request field: the phone's maximum rate, such as `30/min`. @default none */
  readonly rate?: string
}

export type PhoneFields = z.infer<typeof phoneFields>
export type PhoneReply = z.infer<typeof phoneReply>
export type QueueFields = z.infer<typeof queueFields>
export type QueueReply = z.infer<typeof queueReply>
