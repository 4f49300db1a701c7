import { isRelayError } from '../../errors.js'
import { runWithSignal } from '../../util/async/abort.js'
import type { Clock } from '../../util/async/clock.js'
import { FailureBackoff } from '../../util/async/failure-backoff.js'
import type { PhoneClient } from './phone-client.js'
import { classifyRelayError, getRequestedWait } from './relay-error.js'

/**
 * The tokens of a phone's former workers: earlier versions ran several workers with a token each,
 * and the relay may still lease messages to them.
 */
export interface FormerWorkers {
  listTokens(): Promise<readonly string[]>
  removeToken(token: string): Promise<void>
  createClient(token: string): Pick<PhoneClient, 'messages'>
  /** Whether the phone reports an outcome of this message, so that it must not be released. */
  hasOutcome(id: string): boolean
}

interface FormerLeaseOptions {
  readonly workers: FormerWorkers
  readonly clock: Clock
  readonly random: () => number
  readonly stop: AbortSignal
}

const reason = 'a worker of an earlier version held it'

/**
 * Releases the messages that former workers hold, each with its own token, so that they need not
 * wait for the end of their leases. Tries again until the relay answers. Never rejects.
 */
export async function releaseFormerLeases(options: FormerLeaseOptions): Promise<void> {
  const { workers, stop } = options
  const backoff = new FailureBackoff(options)
  for (const token of await workers.listTokens()) {
    while (!stop.aborted) {
      const wait = await releaseLease(token, options)
      if (wait === undefined) break
      backoff.recordFailure()
      await backoff.wait(stop, wait)
    }
  }
}

/** Resolves to the milliseconds that the relay asks to wait if it must be asked again. */
async function releaseLease(
  token: string,
  { workers, stop }: FormerLeaseOptions,
): Promise<number | undefined> {
  const { messages } = workers.createClient(token)
  try {
    await runWithSignal([stop], async signal => {
      const message = await messages.next({ signal })
      if (message === undefined || workers.hasOutcome(message.id)) return
      await messages.release(message.id, { reason }, { signal })
    })
  } catch (error) {
    if (stop.aborted) return undefined
    const isEnded = isRelayError(error, 'invalid_token')
    if (!isEnded && classifyRelayError(error) === 'temporary') return getRequestedWait(error)
  }
  await workers.removeToken(token)
  return undefined
}
