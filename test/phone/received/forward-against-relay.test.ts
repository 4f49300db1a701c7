import { expect, it } from 'vitest'
import type { DriverListener } from '../../../src/phone/driver-port/driver.js'
import type { PhoneEvent } from '../../../src/phone/events/phone-events.js'
import { runPhone } from '../../../src/phone/run-phone.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { copyAfterCrash, openJournal } from '../journal/journal-rig.js'
import { RecordingDriver } from '../phone-rig.js'
import { createPhoneClient, setUp } from '../relay-rig.js'

it('a phone that died reports its received texts once, and STOP blocks the sender', async () => {
  const relay = await setUp()
  const credentials = { user: relay.account.secret_key, password: relay.account.app_key }
  const first = await temporaryFolder()
  const start = async (
    url: string,
    directory: string,
    listens: (listener: DriverListener) => void = () => {},
  ) => {
    const journal = await openJournal(directory)
    const driver = Object.assign(new RecordingDriver(), { listen: listens })
    const stop = new AbortController()
    const events: PhoneEvent[] = []
    const done = runPhone({
      ...{ driver, journal: journal.attempts, received: journal.received, stop: stop.signal },
      client: await createPhoneClient(url, credentials, journal, { phone: { name: 'desk' } }),
      onEvent: event => events.push(event),
    })
    const finish = async () => {
      stop.abort()
      await done
    }
    return { events, finish }
  }
  const texts = ['Hello', 'Stop.', 'Stop.'].map((text, n) => ({
    ...{ from: '+12025550199', text, at: Date.UTC(2026, 0, 1, 0, 0, n), ref: `${n}` },
  }))
  let receiveAll = async () => {}
  const nowhere = 'http://127.0.0.1:9'
  const phone = await start(nowhere, first, listener => {
    receiveAll = async () => {
      for (const text of texts) await listener.onText(text)
    }
  })
  await receiveAll()
  const copies = [await copyAfterCrash(first), await copyAfterCrash(first)]
  await phone.finish()
  // The second copy does not know what the first one has reported.
  for (const directory of copies) {
    const restarted = await start(relay.url, directory)
    await expect
      .poll(() => restarted.events.filter(each => each.event === 'forwarded'))
      .toHaveLength(3)
    await restarted.finish()
  }
  const received = await relay.client.receivedTexts.list()
  expect(received.map(each => each.message)).toEqual(['Stop.', 'Stop.', 'Hello'])
  expect(received[2]).toMatchObject({ received_on: '2026-01-01 00:00:00', phone: 'desk' })
  const blocked = await relay.client.messages.create({ destination: '+12025550199', message: 'x' })
  expect(blocked.status).toBe('B')
})
