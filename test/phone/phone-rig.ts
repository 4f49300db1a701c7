import { RelayError } from '../../src/errors.js'
import { type DispatcherOptions, runDispatcher } from '../../src/phone/dispatch/run-dispatcher.js'
import type { Driver, DriverMessage, DriverReceipt } from '../../src/phone/driver-port/driver.js'
import type { PhoneEvent } from '../../src/phone/events/phone-events.js'
import { type Clock, createClock } from '../../src/util/async/clock.js'
import { FakeClock } from '../util/async/fake-clock.js'
import type { ScriptedClient } from './scripted-client.js'

type Send = (message: DriverMessage, signal: AbortSignal) => DriverReceipt | Promise<DriverReceipt>

/** A driver that records its messages and has a scripted result for each. */
export class RecordingDriver implements Driver {
  readonly name = 'recording'
  readonly sent: DriverMessage[] = []
  readonly #script: Send[]

  constructor(...script: Send[]) {
    this.#script = [...script]
  }

  async send(message: DriverMessage, signal: AbortSignal): Promise<DriverReceipt> {
    this.sent.push(message)
    const step = this.#script.shift()
    return step === undefined ? {} : await step(message, signal)
  }

  async [Symbol.asyncDispose]() {}
}

/** Starts a phone with a scripted relay, until the script ends. */
export function startPhone(
  client: ScriptedClient,
  driver: Driver,
  options: Partial<DispatcherOptions> = {},
) {
  const stop = new AbortController()
  const force = new AbortController()
  const events: PhoneEvent[] = []
  const clock = new FakeClock({ auto: true })
  let keys = 0
  client.atEnd = () => stop.abort()
  const done = runDispatcher({
    client,
    driver,
    stop: stop.signal,
    force: force.signal,
    onEvent: event => events.push(event),
    clock,
    random: () => 1,
    createKey: () => `key-${++keys}`,
    ...options,
  })
  return { done, stop, force, events, clock, names: () => events.map(each => each.event) }
}

export const unreachable = new RelayError('unreachable', 'The relay could not be reached.')

/** A clock on which each sleep first calls `stop`, which must abort the sleep. */
export function createStoppingClock(stop: () => void, clock: Clock = createClock()): Clock {
  return {
    ...clock,
    sleep: async (_, signal) => {
      stop()
      if (signal?.aborted !== true) throw new Error('the wait went on after the stop')
    },
  }
}
