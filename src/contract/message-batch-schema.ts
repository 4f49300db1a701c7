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
import { describe, requestIdText, seconds, whole } from './schema/describe.js'
import { textField } from './schema/schema-fields.js'

/**
 * The reply to NEXT with `Prefer: batch=N`; `claim` is the `since` of the next such request, and
 * `lease` the seconds that the phone holds each message.
 */
const messageBatchReply = z.lazy(() =>
  z.object({
    messages: describe(
      z.array(z.object({ message: messageFields })),
      'The claimed messages, in the order in which they are due.',
    ),
    claim: describe(
      z.number(),
      'The number of the last message: the `since` of the next request.',
      whole,
    ),
    lease: describe(z.optional(z.number()), 'How long the phone holds each message.', seconds),
  }),
)

/** The reply to NEXT: a batch, or one message without that preference. */
export const nextReply = z.lazy(() => z.union([messageBatchReply, messageReply]))

/** An item of POST /message/report: one of `parts`, `error`, `release` and `renew`. */
export const messageOutcome = z.lazy(() =>
  z
    .object({
      id: describe(textField(1, maxIdLength), 'The id of the message.'),
      idempotency_key: keyField(),
      parts: z.optional(partsField()),
      error: z.optional(errorTextField()),
      outcome: outcomeField(),
      release: flagField('Gives the message back, surely unsent.'),
      reason: reasonField(),
      retry_after: retryAfterField('until the message is due again, after `error` or `release`'),
      renew: flagField('The phone still has the message: its lease begins again.'),
    })
    .check(
      z.refine(outcome => countKinds(outcome) === 1, {
        error: 'An outcome has one of `parts`, `error`, `release` and `renew`.',
        params: { missing: true },
      }),
    ),
)

export const batchReport = z.lazy(() =>
  describe(
    z.array(messageOutcome),
    'Each outcome has one of `parts` (sent), `error` (failed), `release` and `renew`.',
    { maxItems: limits.messageBatch },
  ),
)

export const batchMessage = z.lazy(() =>
  z.extend(createDraftSchema(), { idempotency_key: keyField() }),
)

export const batchCreate = z.lazy(() =>
  describe(z.array(batchMessage), 'The messages.', { maxItems: limits.messageBatch }),
)

function createResultFields() {
  return {
    status: describe(
      z.number(),
      'The HTTP status that the request for this item alone would have.',
      {
        type: 'integer',
      },
    ),
    message: describe(z.optional(messageFields), 'The message, unless the item failed.'),
    error: describe(z.optional(z.string()), 'The error code of an item that failed.'),
    error_description: describe(z.optional(z.string()), 'Says what to do about the error.'),
    request_id: describe(z.optional(z.string()), requestIdText),
  }
}

/** The reply to POST /message/report: one result for each outcome, in order. */
export const batchReportReply = z.lazy(() =>
  z.object({
    results: describe(
      z.array(
        z.object({ id: describe(z.string(), 'The id of the message.'), ...createResultFields() }),
      ),
      'One result for each outcome, in order.',
    ),
  }),
)

/**
 * The reply to POST /message/batch: one result for each message, in order. A minimal one has the
 * `id` of a new message instead of `message`.
 */
export const batchCreateReply = z.lazy(() =>
  z.object({
    results: describe(
      z.array(
        z.object({
          id: describe(
            z.optional(z.string()),
            'The id of a new message, in a minimal reply in place of `message`.',
          ),
          ...createResultFields(),
        }),
      ),
      'One result for each message, in order.',
    ),
  }),
)

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
  return describe(
    z.optional(textField(1, limits.idempotencyKey)),
    'Counts as the header field `Idempotency-Key` of the request for this item alone.',
  )
}

function flagField(description: string) {
  return describe(z.optional(z.literal(true, { error: 'must be true' })), description)
}
