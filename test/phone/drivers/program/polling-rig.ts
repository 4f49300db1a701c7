import { onTestFinished } from 'vitest'
import type { Driver } from '../../../../src/phone/driver-port/driver.js'
import type { PhoneEvent } from '../../../../src/phone/events/phone-events.js'
import { runPhone } from '../../../../src/phone/run-phone.js'
import { type Clock, createClock } from '../../../../src/util/async/clock.js'
import { openJournal } from '../../journal/journal-rig.js'
import { ScriptedClient } from '../../scripted-client.js'

export const fast = { poll: '5s' }

const pollingInterval = 5000
const clock = createClock()

/** Polls take 25 ms; programs keep the time that they have. */
export const fastClock: Clock = {
  ...clock,
  sleep: (milliseconds, signal) =>
    clock.sleep(milliseconds === pollingInterval ? 25 : milliseconds, signal),
}

/** Starts a phone that polls every few milliseconds, with a journal in a directory. */
export async function start(driver: Driver, directory: string, now = Date.now) {
  const journal = await openJournal(directory)
  const stop = new AbortController()
  const events: PhoneEvent[] = []
  const done = runPhone({
    ...{
      driver,
      journal: journal.attempts,
      received: journal.received,
      stop: stop.signal,
      forward: false,
    },
    client: new ScriptedClient([]),
    clock: { ...fastClock, now },
    onEvent: event => events.push(event),
  })
  const finish = async () => {
    stop.abort()
    await done
    await journal[Symbol.asyncDispose]()
  }
  onTestFinished(finish)
  const texts = () => events.flatMap(each => (each.event === 'received' ? [each.text] : []))
  return { texts, finish, names: () => events.map(each => each.event) }
}
