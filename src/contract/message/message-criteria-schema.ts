import * as z from 'zod/mini'
import { limits } from '../../domain/limits.js'
import { sources } from '../../domain/message/message.js'
import { describe, extension } from '../schema/describe.js'
import { dateTimeField, textField } from '../schema/schema-fields.js'

/** The members of the filter of a list of messages that the interface does not have. */
export function createCriteriaFields() {
  return {
    since: describe(
      z.optional(dateTimeField()),
      'Only messages that were created then or later.',
      extension,
    ),
    until: describe(
      z.optional(dateTimeField()),
      'Only messages that were created before.',
      extension,
    ),
    to: describe(
      z.optional(textField(1, limits.destination)),
      "Only messages to this number. National numbers are read in the account's country.",
      extension,
    ),
    phone: describe(
      z.optional(textField(1, limits.phoneName)),
      'Only messages on which the phone of this name reported last.',
      extension,
    ),
    source: describe(
      z.optional(z.enum(sources, { error: `must be one of ${sources.join(', ')}` })),
      'Only messages that were created this way.',
      extension,
    ),
    reason: describe(
      z.optional(textField(1, limits.receiptReason)),
      'Only messages whose `last_error` has this part, in any letter case.',
      extension,
    ),
  }
}
