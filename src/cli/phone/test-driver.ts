import { canonicalNumber, testOutcome } from '../../domain/sms/phone-number.js'
import { segments } from '../../domain/sms/segments.js'
import { RelayError } from '../../errors.js'
import {
  type DeliveryReport,
  type Driver,
  DriverError,
  type DriverErrorKind,
} from '../../phone/driver-port/driver.js'
import { type Pause, pause } from '../../util/async/clock.js'

/** A text that is sent to see whether a driver works. */
export interface TrialText {
  /** As it is dialled. */
  readonly destination: string
  readonly text: string
}

/** What became of a {@link TrialText}. */
export type Trial =
  | {
      readonly result: 'sent'
      readonly parts: number
      /** Milliseconds. */
      readonly took: number
      /** What the network has said of its parts. */
      readonly reports: readonly DeliveryReport['state'][]
    }
  | { readonly result: DriverErrorKind; readonly error: string; readonly took: number }

/** What {@link tryText} works with. */
export interface TrialOptions {
  readonly driver: Driver
  readonly stop: AbortSignal
  /** Milliseconds that delivery reports are waited for. */
  readonly wait: number
  /** Told of texts that come in meanwhile. */
  readonly received: (from: string, text: string) => void
  readonly sent: (parts: number, took: number) => void
  /** Milliseconds since any fixed moment. @default performance.now */
  readonly now?: () => number
  readonly pause?: Pause
}

/** The number as a driver dials it. Throws `usage` for what is none, and for the numbers no text ever goes to. */
export function trialDestination(typed: string): string {
  const number = canonicalNumber(typed, '') ?? typed.replace(/[\s().\-/]/g, '')
  if (!/^\+?\d{3,20}$/.test(number)) {
    throw new RelayError('usage', 'DEST must be a phone number, such as +12025550123.')
  }
  if (testOutcome(number) === undefined) return number
  throw new RelayError(
    'usage',
    'To a test number no text is ever sent, so it would test nothing.',
    {
      hint: 'Give the number of a phone that you can look at.',
    },
  )
}

/** Hands one text to a driver, and waits for the reports of all its parts. Never rejects. */
export async function tryText(
  { destination, text }: TrialText,
  { driver, stop, wait, received, sent, ...clock }: TrialOptions,
): Promise<Trial> {
  const now = clock.now ?? (() => performance.now())
  const reports: DeliveryReport['state'][] = []
  const complete = new AbortController()
  let parts = Number.POSITIVE_INFINITY
  const look = () => {
    if (reports.filter(each => each !== 'trying').length >= parts) complete.abort()
  }
  driver.listen?.({
    received: async ({ from, text: said }) => {
      received(from, said)
      // Refused, so that it stays where it came from until the phone runs.
      throw new Error('it is only shown')
    },
    reported: ({ state }) => {
      reports.push(state)
      look()
    },
  })
  const began = now()
  try {
    const receipt = await driver.send({ id: crypto.randomUUID(), destination, text }, stop)
    const took = Math.round(now() - began)
    parts = receipt.parts ?? segments(text).parts
    sent(parts, took)
    look()
    if (wait > 0) await (clock.pause ?? pause)(wait, AbortSignal.any([complete.signal, stop]))
    return { result: 'sent', parts, took, reports }
  } catch (error) {
    const result = error instanceof DriverError ? error.kind : 'unknown'
    const sentence = error instanceof Error ? error.message : String(error)
    return { result, error: sentence, took: Math.round(now() - began) }
  }
}
