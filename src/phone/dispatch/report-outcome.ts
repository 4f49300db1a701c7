import type { MessageFields } from '../../contract/message-schema.js'
import { isRelayError, type RelayError } from '../../errors.js'
import { withGrace } from '../../util/async/abort.js'
import type { Known } from '../journal/attempt-history.js'
import { explained, requestedWait, sentence, verdict } from '../relay/relay-error.js'
import type { PhoneContext } from './worker-context.js'

const graceAfterForce = 5000

/** What became of a report: taken by the relay (with the message as it then is), refused for good, or never delivered. */
export type Delivery =
  | { readonly report: 'taken'; readonly message: MessageFields }
  | { readonly report: 'refused'; readonly error: RelayError }
  | { readonly report: 'abandoned'; readonly error: unknown }

/**
 * Reports an outcome until the relay answers, under the idempotency key of its attempt. Only a forced stop, which leaves one last
 * try, ends it before; or keys that no longer open the relay.
 */
export async function report(known: Known, context: PhoneContext): Promise<Delivery> {
  const { relay, emit, force, now } = context
  const { id } = known
  const began = now()
  for (let late = false; ; late = true) {
    const last = force.aborted
    try {
      const message = await once(known, context)
      if (relay.end()) emit({ event: 'online' })
      if (late) emit({ event: 'reported-late', id, delay: now() - began })
      return { report: 'taken', message }
    } catch (error) {
      const end = ending(error, last)
      if (end !== undefined) return end
      if (relay.begin()) emit({ event: 'offline', id, error: sentence(error) })
      await relay.wait(force, requestedWait(error))
    }
  }
}

function ending(error: unknown, last: boolean): Delivery | undefined {
  const whose = verdict(error)
  if (whose === 'refused' && isRelayError(error)) return { report: 'refused', error }
  if (whose === 'fatal' || last) return { report: 'abandoned', error: explained(error) }
  return undefined
}

async function once(known: Known, context: PhoneContext): Promise<MessageFields> {
  const { id, outcome, key: idempotencyKey } = known
  const { client, force, pause } = context
  return await withGrace(force, graceAfterForce, pause, async signal => {
    const options = { idempotencyKey, signal }
    if (outcome.result === 'sent') {
      return await client.reportSuccess(id, { parts: outcome.parts }, options)
    }
    const failure = { error_message: outcome.error, outcome: outcome.result }
    return await client.reportFailure(id, failure, options)
  })
}
