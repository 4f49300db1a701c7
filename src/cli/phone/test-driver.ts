import { getTestOutcome, toCanonicalNumber } from '../../domain/sms/phone-number.js'
import { countSmsParts } from '../../domain/sms/sms-parts.js'
import { errorText, RelayError } from '../../errors.js'
import {
  type DeliveryReceipt,
  type Driver,
  DriverError,
  type DriverErrorKind,
} from '../../phone/driver-port/driver.js'
import { type Pause, pause } from '../../util/async/clock.js'

/** A text that is sent to see whether a driver works. */
export interface TestText {
  /** As it is dialled. */
  readonly destination: string
  readonly text: string
}

/** What became of a {@link TrialText}. */
export type TestResult =
  | {
      readonly result: 'sent'
      readonly parts: number
      /** Milliseconds. */
      readonly took: number
      /** What the network has said of its parts. */
      readonly reports: readonly DeliveryReceipt['state'][]
    }
  | { readonly result: DriverErrorKind; readonly error: string; readonly took: number }

/** What {@link tryText} works with. */
export interface SendTestOptions {
  readonly driver: Driver
  readonly stop: AbortSignal
  /** Milliseconds that delivery reports are waited for. */
  readonly wait: number
  /** Told of texts that come in meanwhile. */
  readonly onReceived: (from: string, text: string) => void
  readonly onSent: (parts: number, took: number) => void
  /** Milliseconds since any fixed moment. @default performance.now */
  readonly now?: () => number
  readonly pause?: Pause
}

/** The number as a driver dials it. Throws `usage` for what is none, and for the numbers no text ever goes to. */
export function parseTestDestination(typed: string): string {
  const number = toCanonicalNumber(typed, '') ?? typed.replace(/[\s().\-/]/g, '')
  if (!/^\+?\d{3,20}$/.test(number)) {
    throw new RelayError('usage', 'DEST must be a phone number, such as +12025550123.')
  }
  if (getTestOutcome(number) === undefined) return number
  throw new RelayError(
    'usage',
    'To a test number no text is ever sent, so it would test nothing.',
    {
      hint: 'Give the number of a phone that you can look at.',
    },
  )
}

/** Hands one text to a driver, and waits for the reports of all its parts. Never rejects. */
export async function sendTestText(
  { destination, text }: TestText,
  { driver, stop, wait, onReceived: received, onSent: sent, ...clock }: SendTestOptions,
): Promise<TestResult> {
  const now = clock.now ?? (() => performance.now())
  const reports: DeliveryReceipt['state'][] = []
  const complete = new AbortController()
  let parts = Number.POSITIVE_INFINITY
  const look = () => {
    if (reports.filter(each => each !== 'trying').length >= parts) complete.abort()
  }
  driver.listen?.({
    onText: async ({ from, text: said }) => {
      received(from, said)
      // Refused, so that it stays where it came from until the phone runs.
      throw new Error('it is only shown')
    },
    onReceipt: ({ state }) => {
      reports.push(state)
      look()
    },
  })
  const began = now()
  try {
    const receipt = await driver.send({ id: crypto.randomUUID(), destination, text }, stop)
    const took = Math.round(now() - began)
    parts = receipt.parts ?? countSmsParts(text).parts
    sent(parts, took)
    look()
    if (wait > 0) await (clock.pause ?? pause)(wait, AbortSignal.any([complete.signal, stop]))
    return { result: 'sent', parts, took, reports }
  } catch (error) {
    const result = error instanceof DriverError ? error.kind : 'unknown'
    const sentence = errorText(error)
    return { result, error: sentence, took: Math.round(now() - began) }
  }
}
