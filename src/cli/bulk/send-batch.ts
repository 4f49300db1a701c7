import type { MessageClient } from '../../client/message-client.js'
import type { CreateResult } from '../../contract/message-batch-schema.js'
import { isRelayError, RelayError } from '../../errors.js'
import {
  isRejection,
  type KeyedRow,
  keyLifetime,
  type RowOutcome,
  type RowSendOptions,
  retryTransient,
} from './send-row.js'

export interface BatchSendOptions extends RowSendOptions {
  readonly client: { readonly messages: Pick<MessageClient, 'create' | 'createBatch'> }
}

/**
 * Sends bulk rows in one request, with retries as those of a single row; resolves to one outcome
 * for each, or to undefined if the relay does not know batches. Throws errors that concern all
 * rows.
 */
export async function sendBatch(
  rows: readonly KeyedRow[],
  options: BatchSendOptions,
): Promise<readonly RowOutcome[] | undefined> {
  const { messages } = options.client
  const batch = rows.map(({ draft, key }) => ({ ...draft, idempotency_key: key }))
  const oldest = Math.min(...rows.map(({ since }) => since))
  try {
    const results = await retryTransient(oldest, options, async signal => {
      const created = await messages.createBatch(batch, { minimal: true, signal })
      for (const result of created) throwTransient(result)
      return created
    })
    if (results === 'unknown') return await sendUnexpired(rows, options)
    return rows.map((_, at) =>
      results === 'stopped' ? { outcome: results } : toOutcome(results[at]),
    )
  } catch (error) {
    if (isRelayError(error, 'method_not_allowed') || isRelayError(error, 'not_found')) {
      return undefined
    }
    // A proxy in front may allow shorter bodies than the relay.
    if (!isRelayError(error, 'payload_too_large') || rows.length === 1) throw error
    const half = Math.ceil(rows.length / 2)
    const outcomes = [
      await sendBatch(rows.slice(0, half), options),
      await sendBatch(rows.slice(half), options),
    ]
    return outcomes.flatMap(each => each ?? [])
  }
}

/** Sends the rows whose keys are still valid; the outcome of the others is unknown. */
async function sendUnexpired(
  rows: readonly KeyedRow[],
  options: BatchSendOptions,
): Promise<readonly RowOutcome[] | undefined> {
  const now = options.clock.now()
  const isValid = ({ since }: KeyedRow): boolean => now - since <= keyLifetime
  const valid = rows.filter(isValid)
  const outcomes = valid.length === 0 ? [] : await sendBatch(valid, options)
  const rest = outcomes?.values()
  return rest && rows.map(row => (isValid(row) && rest.next().value) || { outcome: 'unknown' })
}

/** A row beyond a limit of the account is sent again; rows that are accepted keep their results. */
function throwTransient({ error, error_description: reason = '' }: CreateResult): void {
  if (error === 'too_many_requests') throw new RelayError(error, reason)
}

function toOutcome(result: CreateResult | undefined): RowOutcome {
  const { id, message, error = 'none', error_description: reason = '' } = result ?? {}
  if (id !== undefined) return { outcome: 'accepted', message: { id, status: 'N' } }
  if (message !== undefined) return { outcome: 'accepted', message }
  if (isRejection(error)) return { outcome: 'refused', reason }
  throw new RelayError('invalid_reply', `The relay answered a row with ${error}. ${reason}`)
}
