import { isRelayError } from '../../errors.js'
import { runWithGrace, runWithSignal } from '../../util/async/abort.js'
import type { WorkerContext } from './worker-context.js'

type ReleaseContext = Pick<WorkerContext, 'client' | 'clock' | 'force' | 'emit'>

/**
 * Result of a release: `failed`, no answer from the relay; `unsupported`, an old relay without
 * releases.
 */
type ReleaseResult = 'done' | 'failed' | 'unsupported'

/** Milliseconds. */
const replyTimeout = 3000
const retryDelay = 500

/** The unsent message that a phone worker still leases, if there is one. */
export class HeldMessage {
  readonly #context: ReleaseContext
  #id: string | undefined
  #isUnsupported = false

  constructor(context: ReleaseContext) {
    this.#context = context
  }

  get exists(): boolean {
    return this.#id !== undefined
  }

  hold(id: string): void {
    this.#id = id
  }

  isHeld(id: string): boolean {
    return this.#id === id
  }

  clear(): void {
    this.#id = undefined
  }

  /**
   * Releases an unsent message (@default the held one), so that another phone can fetch it at once.
   * Returns whether the lease has ended. An old relay without releases is asked only once.
   */
  async release(reason: string, id = this.#id, maxTries = 1): Promise<boolean> {
    if (id === undefined || this.#isUnsupported) return false
    const result = await releaseMessage(id, reason, this.#context, maxTries)
    this.#isUnsupported = result === 'unsupported'
    if (result !== 'done') return false
    this.clear()
    this.#context.emit({ event: 'returned', id, reason })
    return true
  }

  /**
   * Releases a message that arrived after the phone was stopped. Returns whether it must not be
   * sent. Without an answer another phone may have it already, so it is left until its lease ends.
   */
  async releaseAtStop(id: string): Promise<boolean> {
    return (await this.release('the phone stops', id, 3)) || !this.#isUnsupported
  }
}

/** Releases a message, trying again while there is no answer; a release is idempotent. */
export async function releaseMessage(
  id: string,
  reason: string,
  context: Pick<WorkerContext, 'client' | 'clock' | 'force'>,
  maxTries = 1,
): Promise<ReleaseResult> {
  for (let left = maxTries - 1; ; left -= 1) {
    const result = await releaseOnce(id, reason, context)
    if (result !== 'failed' || left === 0 || context.force.aborted) return result
    await context.clock.sleep(retryDelay, context.force)
  }
}

async function releaseOnce(
  id: string,
  reason: string,
  { client, clock }: Pick<WorkerContext, 'client' | 'clock'>,
): Promise<ReleaseResult> {
  try {
    await runWithGrace(AbortSignal.abort(), replyTimeout, clock.sleep, deadline =>
      runWithSignal([deadline], signal => client.messages.release(id, { reason }, { signal })),
    )
    return 'done'
  } catch (error) {
    if (isRelayError(error, 'invalid_state') || isRelayError(error, 'not_a_message')) return 'done'
    const isOldRelay = isRelayError(error, 'not_found') || isRelayError(error, 'method_not_allowed')
    return isOldRelay ? 'unsupported' : 'failed'
  }
}
