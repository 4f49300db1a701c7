import { expect, onTestFinished } from 'vitest'
import type {
  ReceivedTextFields,
  ReceivedTextReport,
} from '../../../src/contract/received-text-schema.js'
import type { Driver, DriverListener } from '../../../src/phone/driver-port/driver.js'
import type { PhoneEvent } from '../../../src/phone/events/phone-events.js'
import { type RunPhoneOptions, runPhone } from '../../../src/phone/run-phone.js'
import { FakeClock } from '../../util/async/fake-clock.js'
import { openJournal } from '../journal/journal-rig.js'
import type { ScriptedClient } from '../scripted-client.js'

export const at = Date.UTC(2026, 10, 21, 10, 11, 12)

/** A driver that receives texts when the test calls it. */
class ReceivingDriver implements Driver {
  readonly name = 'receiving'
  listener: DriverListener | undefined

  async send() {
    return {}
  }

  listen(listener: DriverListener): void {
    this.listener = listener
  }

  async receive(text: string): Promise<void> {
    await this.listener?.onText({ from: '+12025550123', text, at })
  }

  async [Symbol.asyncDispose]() {}
}

export function toFields(
  report: ReceivedTextReport,
  id = `r-${report.message}`,
): ReceivedTextFields {
  const { from, message, received_on = '', phone = null } = report
  return { id, from, number: from, message, received_on, phone, word: null }
}

/** Starts a phone without messages to send, with a journal on disk. */
export async function startReceiving(
  directory: string,
  client: ScriptedClient,
  more: Partial<RunPhoneOptions> = {},
) {
  const journal = await openJournal(directory)
  const driver = new ReceivingDriver()
  const stop = new AbortController()
  const events: PhoneEvent[] = []
  const clock = new FakeClock({ auto: true, start: at + 5000 })
  const done = runPhone({
    ...{ driver, received: journal.received, stop: stop.signal, clock, random: () => 1 },
    client,
    onEvent: event => events.push(event),
    ...more,
  })
  const finish = async () => {
    stop.abort()
    await done
    await journal[Symbol.asyncDispose]()
  }
  onTestFinished(finish)
  await expect.poll(() => driver.listener).toBeDefined()
  return { driver, events, finish, clock }
}

export const select = (events: readonly PhoneEvent[], name: PhoneEvent['event']) =>
  events.filter(each => each.event === name)
