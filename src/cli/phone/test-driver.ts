import { getTestOutcome, getTypedNumber } from '../../domain/sms/phone-number.js'
import { countSmsParts } from '../../domain/sms/sms-parts.js'
import { errorText, RelayError } from '../../errors.js'
import {
  type DeliveryReceipt,
  type Driver,
  DriverError,
  type DriverErrorKind,
} from '../../phone/driver-port/driver.js'
import { DriverStatus, runWatch } from '../../phone/driver-state/driver-status.js'
import type { Clock } from '../../util/async/clock.js'

export type TestResult =
  | {
      readonly result: 'sent'
      readonly parts: number
      readonly took: number
      /** Receipts that the network sends for the text: one for each part, or one for all. */
      readonly awaited: number
      readonly reports: readonly DeliveryReceipt['state'][]
    }
  | { readonly result: DriverErrorKind; readonly error: string; readonly took: number }

export interface SendTestOptions {
  readonly driver: Driver
  readonly stop: AbortSignal
  readonly wait: number
  readonly onReceived: (from: string, text: string) => void
  readonly onSent: (parts: number, duration: number) => void
  readonly clock: Clock
}

export function parseTestDestination(text: string): string {
  const number = getTypedNumber(text)
  if (!/^\+?\d{3,20}$/.test(number)) {
    const rule = 'must be a phone number such as +12025550123'
    throw new RelayError('usage', `DESTINATION ${rule}, not "${text}".`)
  }
  if (getTestOutcome(number) === undefined) return number
  throw new RelayError('usage', `${number} is a test number, to which no driver sends.`, {
    hint: 'Use the number of your own phone.',
  })
}

/**
 * Sends one text through a driver for `phone test`, and waits for the delivery receipts. Never
 * throws. Some drivers only get receipts while their watches run, such as a poll.
 */
export async function sendTestText(
  { destination, text }: { readonly destination: string; readonly text: string },
  { driver, stop, wait, onReceived, onSent, clock }: SendTestOptions,
): Promise<TestResult> {
  const receipts = new AwaitedReceipts()
  driver.listen?.({
    onText: async received => {
      onReceived(received.from, received.text)
      // `phone test` rejects received texts, so that they stay in the modem until a phone runs.
      throw new Error('The text is only shown.')
    },
    onReceipt: ({ state }) => receipts.add(state),
  })
  const start = clock.monotonic()
  const getDuration = () => Math.round(clock.monotonic() - start)
  const ended = new AbortController()
  const watches = wait > 0 ? runWatches(driver, clock, ended.signal) : undefined
  try {
    const receipt = await driver.send({ id: crypto.randomUUID(), destination, text }, stop)
    const duration = getDuration()
    const parts = receipt.parts ?? countSmsParts(text).parts
    onSent(parts, duration)
    // One id for several parts has one receipt.
    const awaited = receipt.networkIds?.length ?? parts
    receipts.expect(awaited)
    if (wait > 0) await clock.sleep(wait, AbortSignal.any([receipts.complete, stop]))
    return { result: 'sent', parts, took: duration, awaited, reports: receipts.states }
  } catch (error) {
    const result = error instanceof DriverError ? error.kind : 'unknown'
    return { result, error: errorText(error), took: getDuration() }
  } finally {
    ended.abort()
    await watches
  }
}

class AwaitedReceipts {
  readonly states: DeliveryReceipt['state'][] = []
  readonly #complete = new AbortController()
  #count = Number.POSITIVE_INFINITY

  get complete(): AbortSignal {
    return this.#complete.signal
  }

  expect(count: number): void {
    this.#count = count
    this.#check()
  }

  add(state: DeliveryReceipt['state']): void {
    this.states.push(state)
    this.#check()
  }

  #check(): void {
    const final = this.states.filter(each => each !== 'pending')
    if (final.length >= this.#count) this.#complete.abort()
  }
}

async function runWatches(driver: Driver, clock: Clock, stop: AbortSignal): Promise<void> {
  const shared = { driverStatus: new DriverStatus(), onEvent: () => {}, random: Math.random }
  const watches = driver.watches ?? []
  await Promise.all(watches.map(watch => runWatch(watch, { ...shared, clock, stop })))
}
