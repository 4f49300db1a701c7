import { createSeededRandom } from '../../../util/crypto/seeded-random.js'
import { completeLifecycles, type Lifecycle } from './lifecycle.js'

/** A message to make. */
export interface TriggerStep {
  readonly lifecycle: Lifecycle
  readonly destination: string
  readonly text: string
}

const greetings = ['Hello', 'Good morning', 'Good evening', 'Hi', 'Dear customer'] as const
const subjects = [
  'your parcel is on its way',
  'your table is booked',
  'your code is',
  'the lift works again',
  'we open at nine',
] as const

/**
 * The messages of a seed, without end: the same seed gives the same lifecycles, numbers and texts.
 *
 * @param lifecycle the one of every message; each of {@link whole} in turn of chance when left out
 */
export function* generateSteps(
  seed: number,
  lifecycle: Lifecycle | undefined,
): Generator<TriggerStep, never> {
  const random = createSeededRandom(seed)
  const blocked = chooseBlockedNumber(seed)
  for (;;) {
    const chosen = lifecycle ?? pickOne(completeLifecycles, random)
    const area = 200 + Math.floor(random() * 800)
    const last = chosen === 'created-failed' ? '5551213' : '5551212'
    const destination = chosen === 'created-blocked' ? blocked : `+1${area}${last}`
    const number = Math.floor(random() * 10_000)
    const text = `${pickOne(greetings, random)}, ${pickOne(subjects, random)} (${number}).`
    yield { lifecycle: chosen, destination, text }
  }
}

/** A test number that nobody else uses, below a country code that no country has (ITU-T E.164: 999 is spare). */
export function chooseBlockedNumber(seed: number): string {
  const digits = Math.floor(createSeededRandom(seed ^ 0x5eed)() * 100_000)
  return `+999${String(digits).padStart(5, '0')}5551212`
}

function pickOne<T>(things: readonly T[], random: () => number): T {
  return things[Math.floor(random() * things.length)] as T
}
