import { ScriptedModem } from '../../../test/phone/drivers/modem/scripted-modem.js'

/** A modem that answers at once and records the time of each part. */
export function createTimedModem(): {
  readonly modem: ScriptedModem
  readonly times: readonly number[]
} {
  const times: number[] = []
  const react = () => {
    times.push(performance.now())
    return 'ok' as const
  }
  return { modem: new ScriptedModem({ react }), times }
}

/** Parts a second from the first to the last; undefined for fewer than two parts. */
export function getPartRate(times: readonly number[]): number | undefined {
  const [first, last] = [times.at(0), times.at(-1)]
  if (times.length < 2 || first === undefined || last === undefined) return undefined
  return ((times.length - 1) * 1000) / (last - first)
}
