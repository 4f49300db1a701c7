import { isRelayError } from '../../errors.js'
import { runWithGrace, runWithSignal } from '../../util/async/abort.js'
import type { StepResult } from '../relay/relay-steps.js'
import type { DispatchContext } from './dispatch-context.js'

type ReleaserContext = Pick<DispatchContext, 'relay' | 'clock' | 'force'>

export interface ReleaseOptions {
  /** @default 1 */
  readonly maxTries?: number
  /** Milliseconds until the messages are due again. @default the time they were due */
  readonly retryAfter?: number
}

/** Milliseconds. */
const replyTimeout = 3000
const retryDelay = 500

export class MessageReleaser {
  readonly #context: ReleaserContext

  constructor(context: ReleaserContext) {
    this.#context = context
  }

  /**
   * Releases messages, trying again while there is no answer; a release is idempotent. Resolves to
   * the ids whose lease has ended. Without an answer another phone may have the message already.
   */
  async release(
    ids: readonly string[],
    reason: string,
    { maxTries = 1, retryAfter }: ReleaseOptions = {},
  ): Promise<ReadonlySet<string>> {
    const { clock, force } = this.#context
    const released = new Set<string>()
    for (let left = maxTries; left > 0; left -= 1) {
      const rest = ids.filter(id => !released.has(id))
      if (rest.length === 0) break
      for (const id of await this.#releaseOnce(rest, reason, retryAfter)) released.add(id)
      if (released.size === ids.length || left === 1 || force.aborted) break
      await clock.sleep(retryDelay, force)
    }
    return released
  }

  async #releaseOnce(
    ids: readonly string[],
    reason: string,
    retryAfter: number | undefined,
  ): Promise<readonly string[]> {
    const { relay, clock } = this.#context
    const delay = retryAfter === undefined ? {} : { retry_after: Math.ceil(retryAfter / 1000) }
    const outcomes = ids.map(id => ({ id, release: true as const, reason, ...delay }))
    try {
      const results = await runWithGrace(AbortSignal.abort(), replyTimeout, clock.sleep, late =>
        runWithSignal([late], async signal => await relay.report(outcomes, { signal })),
      )
      return ids.filter((_, index) => hasEnded(results[index]))
    } catch {
      return []
    }
  }
}

function hasEnded(result: StepResult | undefined): boolean {
  if (result === undefined) return false
  const { error } = result
  return (
    error === undefined ||
    isRelayError(error, 'invalid_state') ||
    isRelayError(error, 'not_a_message')
  )
}
