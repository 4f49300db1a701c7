import { type Fault, faults, type SimulateSettings } from './simulate-settings.js'

/** What is to become of one text. */
export interface SimulatedOutcome {
  /** Milliseconds. */
  readonly delay: number
  readonly fault?: Fault
  readonly crashes: boolean
  readonly doubled: boolean
  readonly answered: boolean
  readonly reported: boolean
}

/** Draws the fate of the next text: always as many numbers, so that one rate does not move what another meets. */
export function drawOutcome(settings: SimulateSettings, random: () => number): SimulatedOutcome {
  const fault = findFault(settings.rates, random())
  const delay = settings.delay + settings.jitter * random()
  const happens = (rate: number) => random() < rate
  return {
    delay,
    ...(fault === undefined ? {} : { fault }),
    crashes: happens(settings.crashes),
    doubled: happens(settings.duplicates),
    answered: happens(settings.incoming),
    reported: happens(settings.reports),
  }
}

function findFault(rates: SimulateSettings['rates'], at: number): Fault | undefined {
  let sum = 0
  return faults.find(fault => {
    sum += rates[fault]
    return at < sum
  })
}
