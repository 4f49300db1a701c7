import { parseRate } from '../../../src/phone/rate-limit/parts-rate.js'
import { Pace, type PaceOptions } from '../../../src/phone/rate-limit/rate-limiter.js'
import { createClock } from '../phone-rig.js'

/** A pace on a clock of its own, and one loop that sends texts of so many parts as fast as it may. */
export function createPace(rates: readonly string[], options: Partial<PaceOptions> = {}) {
  const clock = createClock()
  const stop = new AbortController()
  const told: [number, string][] = []
  const pace = new Pace({
    rates: rates.map(parseRate),
    now: clock.now,
    pause: clock.pause,
    random: () => 0.5,
    ...options,
  })
  const waiting = {
    stop: stop.signal,
    onWait: (wait: number, limit: string) => void told.push([Math.round(wait), limit]),
  }
  /** Sends one text, which takes `takes` milliseconds, and says when it began. */
  const send = async (turn: ReturnType<Pace['turn']>, parts = 1, takes = 0): Promise<number> => {
    await turn.enter(waiting)
    const at = clock.now()
    turn.begin(parts)
    if (takes > 0) await clock.pause(takes)
    turn.end(parts)
    return at
  }
  const sendAll = async (texts: readonly number[], takes = 0): Promise<number[]> => {
    const turn = pace.turn()
    const times: number[] = []
    for (const parts of texts) times.push(await send(turn, parts, takes))
    return times
  }
  return { pace, clock, stop, told, waiting, send, sendAll }
}
