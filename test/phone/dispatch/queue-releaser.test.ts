import { expect, it } from 'vitest'
import { HeldMessage } from '../../../src/phone/dispatch/held-message.js'
import { DriverStatus } from '../../../src/phone/driver-state/driver-status.js'
import type { PhoneClient } from '../../../src/phone/relay/phone-client.js'
import type { PhoneReport } from '../../../src/phone/relay/relay-steps.js'
import { FakeClock } from '../../util/async/fake-clock.js'
import { RecordingDriver, startPhone, unreachable } from '../phone-rig.js'
import { message, ScriptedClient } from '../scripted-client.js'

/** A relay with batches that gives two messages and accepts outcomes, but answers no release. */
class SilentReleases extends ScriptedClient {
  #isGiven = false

  override readonly messages: PhoneClient['messages'] = {
    ...new ScriptedClient([]).messages,
    nextBatch: async () => {
      if (this.#isGiven) this.atEnd()
      if (this.#isGiven) return undefined
      this.#isGiven = true
      return { messages: [message('a'), message('b')], claim: 2, lease: 120 }
    },
    report: async outcomes =>
      (outcomes as readonly PhoneReport[]).map(({ id, parts }) => {
        if (parts === undefined) throw unreachable
        return { id, status: 200, message: message(id, { status: 'S' }) }
      }),
  }
}

it('a message whose release was not answered is not sent before the relay answers', async () => {
  const driverStatus = new DriverStatus()
  driverStatus.setState('line', 'up')
  const driver = new RecordingDriver(async () => {
    driverStatus.setState('line', 'down', 'no line')
    await new Promise(resolve => setImmediate(resolve))
    driverStatus.setState('line', 'up')
    return {}
  })
  const phone = startPhone(new SilentReleases([]), driver, { driverStatus, concurrency: 1 })
  await phone.done
  expect(driver.sent.map(each => each.id)).toEqual(['a'])
})

it('a message that the phone lost can be sent when NEXT gives it again', () => {
  const held = new HeldMessage(message('a'), new FakeClock())
  held.lose('N')
  held.update(message('a'))
  expect(held.canSend).toBe(false)
  held.regain(message('a'))
  expect(held.canSend).toBe(true)
})
