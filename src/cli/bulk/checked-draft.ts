import { parseBulkNumber } from '../../domain/bulk/bulk-number.js'
import type { BulkDraft } from '../../domain/bulk/bulk-table.js'
import { limits } from '../../domain/limits.js'
import { countSmsParts } from '../../domain/sms/sms-parts.js'
import { RelayError } from '../../errors.js'

/** A message with its alphabet and parts. Throws `invalid_parameter` for what the relay would surely refuse. */
export function checkDraft(
  draft: BulkDraft,
): BulkDraft & { readonly alphabet: string; readonly parts: number } {
  const number = parseBulkNumber(draft.destination, undefined)
  if ('problem' in number) throw new RelayError('invalid_parameter', `${number.problem}.`)
  const length = [...draft.message].length
  if (length < 1 || length > limits.text) {
    throw new RelayError(
      'invalid_parameter',
      `The text has ${length} characters; it must have 1 to ${limits.text}.`,
    )
  }
  return { ...draft, ...countSmsParts(draft.message) }
}
