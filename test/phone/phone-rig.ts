import { RelayError } from '../../src/errors.js'
import { runWorker, type WorkerOptions } from '../../src/phone/dispatch/worker-loop.js'
import type { Driver, DriverMessage, DriverReceipt } from '../../src/phone/driver-port/driver.js'
import type { PhoneEvent } from '../../src/phone/events/phone-events.js'
import type { ScriptedClient } from './scripted-client.js'

type Send = (message: DriverMessage, signal: AbortSignal) => DriverReceipt | Promise<DriverReceipt>

/** A driver that writes down what it was given and does as it is told. */
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

/** A clock on which the first wait to end is over as soon as nothing else is to be done; it remembers the waits. */
export function createClock() {
  const waits: number[] = []
  const pending = new Set<{ readonly at: number; readonly end: () => void }>()
  let time = 0
  let next: NodeJS.Immediate | undefined
  const plan = () => {
    if (pending.size > 0) next ??= setImmediate(endFirst)
    else clearImmediate(next)
    if (pending.size === 0) next = undefined
  }
  const endFirst = () => {
    next = undefined
    const [first] = [...pending].sort((a, b) => a.at - b.at)
    if (first === undefined) return
    time = Math.max(time, first.at)
    first.end()
    plan()
  }
  const pause = (milliseconds: number, signal?: AbortSignal) =>
    new Promise<void>(resolve => {
      const done = () => {
        pending.delete(wait)
        signal?.removeEventListener('abort', abort)
        resolve()
      }
      const abort = () => {
        done()
        plan()
      }
      const end = () => {
        waits.push(milliseconds)
        done()
      }
      const wait = { at: time + milliseconds, end }
      if (signal?.aborted === true) return resolve()
      signal?.addEventListener('abort', abort, { once: true })
      pending.add(wait)
      plan()
    })
  return { waits, now: () => time, pause }
}

/** Runs a phone against a scripted relay until the script ends. */
export function startPhone(
  client: ScriptedClient,
  driver: Driver,
  options: Partial<WorkerOptions> = {},
) {
  const stop = new AbortController()
  const force = new AbortController()
  const events: PhoneEvent[] = []
  const clock = createClock()
  let keys = 0
  client.atEnd = () => stop.abort()
  const done = runWorker({
    client,
    driver,
    stop: stop.signal,
    force: force.signal,
    onEvent: event => events.push(event),
    pause: clock.pause,
    now: clock.now,
    random: () => 1,
    createKey: () => `key-${++keys}`,
    ...options,
  })
  return { done, stop, force, events, clock, names: () => events.map(each => each.event) }
}

/** The relay cannot be reached. */
export const unreachable = new RelayError('unreachable', 'The relay could not be reached.')
