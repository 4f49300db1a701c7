import * as z from 'zod/mini'
import { limits } from '../domain/limits.js'
import {
  createDraftSchema,
  errorTextField,
  messageFields,
  messageReply,
  outcomeField,
  partsField,
  reasonField,
  retryAfterField,
} from './message-schema.js'
import { textField } from './schema/schema-fields.js'

/**
 * The reply to NEXT with `Prefer: batch=N`; `claim` is the `since` of the next such request, and
 * `lease` the seconds that the phone holds each message.
 */
const messageBatchReply = z.lazy(() =>
  z.object({
    messages: z.array(z.object({ message: messageFields })),
    claim: z.number(),
    lease: z.optional(z.number()),
  }),
)

/** The reply to NEXT: a batch, or one message without that preference. */
export const nextReply = z.lazy(() => z.union([messageBatchReply, messageReply]))

/** An item of POST /message/report: one of `parts`, `error`, `release` and `renew`. */
export const messageOutcome = z.lazy(() =>
  z
    .object({
      id: textField(1, maxIdLength),
      idempotency_key: keyField(),
      parts: z.optional(partsField()),
      error: z.optional(errorTextField()),
      outcome: outcomeField(),
      release: flagField(),
      reason: reasonField(),
      retry_after: retryAfterField(),
      renew: flagField(),
    })
    .check(
      z.refine(outcome => countKinds(outcome) === 1, {
        error: 'An outcome has one of `parts`, `error`, `release` and `renew`.',
        params: { missing: true },
      }),
    ),
)

export const batchReport = z.lazy(() => z.array(messageOutcome))

/** An item of POST /message/batch. */
export const batchMessage = z.lazy(() =>
  z.extend(createDraftSchema(), { idempotency_key: keyField() }),
)

export const batchCreate = z.lazy(() => z.array(batchMessage))

const result = {
  /** HTTP status of the request for this item alone. */
  status: z.number(),
  message: z.optional(messageFields),
  error: z.optional(z.string()),
  error_description: z.optional(z.string()),
  request_id: z.optional(z.string()),
}

/** The reply to POST /message/report: one result for each outcome, in order. */
export const batchReportReply = z.lazy(() =>
  z.object({ results: z.array(z.object({ id: z.string(), ...result })) }),
)

/**
 * The reply to POST /message/batch: one result for each message, in order. A minimal one has the
 * `id` of a new message instead of `message`.
 */
export const batchCreateReply = z.lazy(() =>
  z.object({ results: z.array(z.object({ id: z.optional(z.string()), ...result })) }),
)

/** What a phone reports about one message of a batch. */
export type MessageOutcome = z.input<typeof messageOutcome>
export type ReportResult = z.infer<typeof batchReportReply>['results'][number]
export type BatchMessage = z.infer<typeof batchMessage>
export type CreateResult = z.infer<typeof batchCreateReply>['results'][number]

const maxIdLength = 64
const kinds = ['parts', 'error', 'release', 'renew'] as const

function countKinds(outcome: { readonly [K in (typeof kinds)[number]]?: unknown }): number {
  return kinds.filter(kind => outcome[kind] !== undefined).length
}

function keyField() {
  return z.optional(textField(1, limits.idempotencyKey))
}

function flagField() {
  return z.optional(z.literal(true, { error: 'must be true' }))
}
