import { isRelayError } from '../../errors.js'
import { withGrace, withSignal } from '../../util/async/abort.js'
import type { PhoneContext } from './worker-context.js'

/** What became of giving a message back: it is not this phone's any more, it still is, or the relay knows no such thing. */
export type Released = 'done' | 'kept' | 'unknown'

const answerTakes = 3000
const betweenTries = 500

/**
 * Gives a message back that was surely not sent. Where no answer comes it is asked again, so many times in all: what nobody
 * holds can be given back again. Never rejects.
 */
export async function release(
  id: string,
  reason: string,
  context: Pick<PhoneContext, 'client' | 'pause' | 'force'>,
  tries = 1,
): Promise<Released> {
  for (let left = tries - 1; ; left -= 1) {
    const released = await once(id, reason, context)
    if (released !== 'kept' || left === 0 || context.force.aborted) return released
    await context.pause(betweenTries, context.force)
  }
}

async function once(
  id: string,
  reason: string,
  { client, pause }: Pick<PhoneContext, 'client' | 'pause'>,
): Promise<Released> {
  try {
    await withGrace(AbortSignal.abort(), answerTakes, pause, late =>
      withSignal([late], signal => client.releaseMessage(id, { reason }, { signal })),
    )
    return 'done'
  } catch (error) {
    if (isRelayError(error, 'invalid_state') || isRelayError(error, 'not_a_message')) return 'done'
    const isOld = isRelayError(error, 'not_found') || isRelayError(error, 'method_not_allowed')
    return isOld ? 'unknown' : 'kept'
  }
}
