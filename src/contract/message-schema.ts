import { z } from 'zod'
import { limits } from '../domain/limits.js'
import { messageFilterNames } from '../domain/message/message-filter.js'
import { dateTimeField, integerField, textField } from './schema/schema-fields.js'

/** What POST /message takes (SPEC.md section 4.2). */
export const messageCreate = z.object({
  destination: textField(1, limits.destination),
  message: textField(1, limits.text),
  send_on: dateTimeField.optional(),
})

/** What PATCH /message/<id> takes: at least one of the fields (SPEC.md section 4.2). */
export const messageEdit = messageCreate.partial().refine(hasField, {
  error: 'At least one of `destination`, `message`, `send_on` is required.',
  params: { missing: true },
})

/** The `filter` of GET /message (SPEC.md section 4.2). */
export const listFilter = z.object({
  filter: z
    .enum(messageFilterNames, { error: `must be one of ${messageFilterNames.join(', ')}` })
    .default('normal'),
  start: numberField(0, Number.MAX_SAFE_INTEGER, 'must be a number, 0 or more').default(0),
  count: numberField(1, limits.listMost, `must be a number, 1 to ${limits.listMost}`).default(
    limits.listDefault,
  ),
  order: z.enum(['desc', 'asc'], { error: 'must be desc or asc' }).default('desc'),
})

/** What PUT /message/<id>/success takes (SPEC.md section 4.2). */
export const successReport = z.object({ parts: integerField(1, 255) })

/** What PUT /message/<id>/failure takes; `outcome` is an extension (SPEC.md section 4.2, README: leases). */
export const failureReport = z.object({
  error_message: textField(0, 1_000_000),
  outcome: z.enum(['failed', 'unknown'], { error: 'must be failed or unknown' }).default('failed'),
})

/** What PUT /message/<id>/release takes; an extension (README: leases). */
export const releaseReport = z.object({
  /** Why, for people; it is kept nowhere. */
  reason: textField(0, limits.errorMessage).optional(),
  /** Seconds before it is handed out again. */
  retry_after: integerField(0, 86_400).optional(),
})

export type {
  MessageFields,
  MessageIdReply,
  MessageListReply,
  MessageReply,
} from './message-reply.js'
export type MessageCreate = z.infer<typeof messageCreate>
export type MessageEdit = z.infer<typeof messageEdit>
export type ListFilter = z.infer<typeof listFilter>
export type ListFilterInput = z.input<typeof listFilter>
export type SuccessReport = z.infer<typeof successReport>
export type FailureReport = z.input<typeof failureReport>
export type ReleaseReport = z.infer<typeof releaseReport>

function hasField(edit: object): boolean {
  return Object.values(edit).some(value => value !== undefined)
}

function numberField(least: number, most: number, error: string): z.ZodNumber {
  return z.number({ error }).int({ error }).min(least, { error }).max(most, { error })
}
