import { isRelayError } from '../../errors.js'
import { runWithGrace, runWithSignal } from '../../util/async/abort.js'
import type { WorkerContext } from './worker-context.js'

/** What became of giving a message back: it is not this phone's any more, it still is, or the relay knows no such thing. */
export type ReleaseResult = 'done' | 'kept' | 'unknown'

const answerTimeout = 3000
const retryDelay = 500

/**
 * Gives a message back that was surely not sent. Where no answer comes it is asked again, so many times in all: what nobody
 * holds can be given back again. Never rejects.
 */
export async function releaseMessage(
  id: string,
  reason: string,
  context: Pick<WorkerContext, 'client' | 'pause' | 'force'>,
  tries = 1,
): Promise<ReleaseResult> {
  for (let left = tries - 1; ; left -= 1) {
    const released = await releaseOnce(id, reason, context)
    if (released !== 'kept' || left === 0 || context.force.aborted) return released
    await context.pause(retryDelay, context.force)
  }
}

async function releaseOnce(
  id: string,
  reason: string,
  { client, pause }: Pick<WorkerContext, 'client' | 'pause'>,
): Promise<ReleaseResult> {
  try {
    await runWithGrace(AbortSignal.abort(), answerTimeout, pause, late =>
      runWithSignal([late], signal => client.messages.release(id, { reason }, { signal })),
    )
    return 'done'
  } catch (error) {
    if (isRelayError(error, 'invalid_state') || isRelayError(error, 'not_a_message')) return 'done'
    const isOld = isRelayError(error, 'not_found') || isRelayError(error, 'method_not_allowed')
    return isOld ? 'unknown' : 'kept'
  }
}
