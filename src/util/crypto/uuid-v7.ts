import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'

const size = 16
const drawn = 256

/**
 * Makes UUIDs of version 7 (RFC 9562 section 5.7), each sorting after the one before, also while the clock stands
 * still or goes back. Random bytes are drawn for many at once: one by one they are most of the work.
 *
 * @param now milliseconds since the epoch
 */
export function createUuidGenerator(now: () => number = Date.now): () => string {
  const pool = Buffer.alloc(size * drawn)
  let at = pool.length
  let msecs = Number.NEGATIVE_INFINITY
  let seq = 0
  return () => {
    if (at === pool.length) {
      randomFillSync(pool)
      at = 0
    }
    const random = pool.subarray(at, at + size)
    at += size
    const time = now()
    seq = time > msecs ? random.readUInt32BE(0) >>> 1 : seq + 1
    msecs = Math.max(msecs, time)
    return v7({ random, msecs, seq })
  }
}
