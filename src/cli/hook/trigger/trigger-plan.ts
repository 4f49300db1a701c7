import type { EventName } from '../../../domain/webhook/event.js'
import { RelayError } from '../../../errors.js'
import { createSeededRandom } from '../../../util/crypto/seeded-random.js'

/**
 * The states that a `hook trigger` message passes through; `received` is a received text instead.
 */
export type Lifecycle =
  | 'received'
  | 'created'
  | 'created-sent'
  | 'created-failed'
  | 'created-blocked'
  | 'created-delivered'
  | 'created-undelivered'

export interface TriggerStep {
  readonly lifecycle: Lifecycle
  readonly destination: string
  readonly text: string
}

export const lifecycleEvents: Readonly<Record<Lifecycle, readonly EventName[]>> = {
  received: ['message.received'],
  created: ['message.create'],
  'created-sent': ['message.create', 'message.sent'],
  'created-failed': ['message.create', 'message.failed'],
  'created-blocked': ['message.create', 'message.blocked'],
  'created-delivered': ['message.create', 'message.sent', 'message.delivered'],
  'created-undelivered': ['message.create', 'message.sent', 'message.undelivered'],
}

/** Lifecycles of `hook trigger` after which no message waits for a phone. */
const finalLifecycles: readonly Lifecycle[] = ['created-sent', 'created-failed', 'created-blocked']

const greetings = ['Hello', 'Good morning', 'Good evening', 'Hi', 'Dear customer'] as const
const subjects = [
  'your parcel is on its way',
  'your table is booked',
  'your code is',
  'the lift works again',
  'we open at nine',
] as const

/**
 * Parses the argument of `hook trigger`: an event (the shortest lifecycle with it) or a lifecycle,
 * also with an arrow, such as `create->sent`. Throws `usage`.
 */
export function parseLifecycle(name: string): Lifecycle {
  const [, event] = /^message\.(\w+)$/.exec(name) ?? []
  const [, end] = /^created?(?:\s*(?:-+>?|→)\s*(\w+))?$/.exec(name) ?? []
  const found =
    event === 'received' || name === 'received'
      ? 'received'
      : event === 'create' || name === 'created' || name === 'create'
        ? 'created'
        : `created-${event ?? end ?? ''}`
  if (Object.hasOwn(lifecycleEvents, found)) return found as Lifecycle
  const events = [...new Set(Object.values(lifecycleEvents).flat())].join(', ')
  throw new RelayError('usage', `There is no event or lifecycle "${name}".`, {
    hint: `Type one of ${events}, ${Object.keys(lifecycleEvents).slice(2).join(', ')}.`,
  })
}

/**
 * Generates the steps of `hook trigger` without end: the same seed gives the same lifecycles,
 * numbers and texts. Without a lifecycle, each step gets one of {@link finalLifecycles}.
 */
export function* generateSteps(
  seed: number,
  lifecycle: Lifecycle | undefined,
): Generator<TriggerStep, never> {
  const random = createSeededRandom(seed)
  const blocked = chooseBlockedNumber(seed)
  for (;;) {
    const chosen = lifecycle ?? pickOne(finalLifecycles, random)
    const area = 200 + Math.floor(random() * 800)
    const last = chosen === 'created-failed' ? '5551213' : '5551212'
    const destination = chosen === 'created-blocked' ? blocked : `+1${area}${last}`
    const number = Math.floor(random() * 10_000)
    const text = `${pickOne(greetings, random)}, ${pickOne(subjects, random)} (${number}).`
    yield { lifecycle: chosen, destination, text }
  }
}

/**
 * A recipient for blocked messages of `hook trigger`: the unassigned country code 999 (ITU-T
 * E.164).
 */
export function chooseBlockedNumber(seed: number): string {
  const digits = Math.floor(createSeededRandom(seed ^ 0x5eed)() * 100_000)
  return `+999${String(digits).padStart(5, '0')}5551212`
}

function pickOne<T>(values: readonly T[], random: () => number): T {
  return values[Math.floor(random() * values.length)] as T
}
