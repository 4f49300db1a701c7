import type { MessageFields } from '../../contract/message-schema.js'
import { errorText, isRelayError, type RelayError } from '../../errors.js'
import { runWithGrace } from '../../util/async/abort.js'
import type { FinishedAttempt } from '../journal/attempt-history.js'
import { classifyRelayError, explainRelayError, getRequestedWait } from '../relay/relay-error.js'
import type { WorkerContext } from './worker-context.js'

const graceAfterForce = 5000

/** What became of a report: taken by the relay (with the message as it then is), refused for good, or never delivered. */
export type ReportResult =
  | { readonly report: 'taken'; readonly message: MessageFields }
  | { readonly report: 'refused'; readonly error: RelayError }
  | { readonly report: 'abandoned'; readonly error: unknown }

/**
 * Reports an outcome until the relay answers, under the idempotency key of its attempt. Only a forced stop, which leaves one last
 * try, ends it before; or keys that no longer open the relay.
 */
export async function reportOutcome(
  known: FinishedAttempt,
  context: WorkerContext,
): Promise<ReportResult> {
  const { relayBackoff: relay, emit, force, now } = context
  const { id } = known
  const began = now()
  for (let late = false; ; late = true) {
    const last = force.aborted
    try {
      const message = await reportOnce(known, context)
      if (relay.recordSuccess()) emit({ event: 'online' })
      if (late) emit({ event: 'reported-late', id, delay: now() - began })
      return { report: 'taken', message }
    } catch (error) {
      const end = getFinalResult(error, last)
      if (end !== undefined) return end
      if (relay.recordFailure()) emit({ event: 'offline', id, error: errorText(error) })
      await relay.wait(force, getRequestedWait(error))
    }
  }
}

function getFinalResult(error: unknown, last: boolean): ReportResult | undefined {
  const whose = classifyRelayError(error)
  if (whose === 'refused' && isRelayError(error)) return { report: 'refused', error }
  if (whose === 'fatal' || last) return { report: 'abandoned', error: explainRelayError(error) }
  return undefined
}

async function reportOnce(known: FinishedAttempt, context: WorkerContext): Promise<MessageFields> {
  const { id, outcome, key: idempotencyKey } = known
  const { client, force, pause } = context
  return await runWithGrace(force, graceAfterForce, pause, async signal => {
    const options = { idempotencyKey, signal }
    if (outcome.result === 'sent') {
      return await client.messages.reportSuccess(id, { parts: outcome.parts }, options)
    }
    const failure = { error_message: outcome.error, outcome: outcome.result }
    return await client.messages.reportFailure(id, failure, options)
  })
}
