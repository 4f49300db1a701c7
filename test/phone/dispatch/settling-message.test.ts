import { expect, it } from 'vitest'
import { createMemoryJournal, type Journal } from '../../../src/phone/journal/journal.js'
import type { PhoneReport } from '../../../src/phone/relay/relay-steps.js'
import { RecordingDriver, startPhone } from '../phone-rig.js'
import { message, ScriptedClient } from '../scripted-client.js'

const turn = () => new Promise<void>(resolve => setImmediate(resolve))

function createGate() {
  let resolve = () => {}
  const promise = new Promise<void>(open => {
    resolve = open
  })
  return { promise, resolve }
}

it('a message that was edited while its outcome is written is not sent again', async () => {
  const writing = createGate()
  const given = createGate()
  const memory = createMemoryJournal()
  const journal: Journal = {
    unreported: () => memory.unreported(),
    begin: async (...args) => await memory.begin(...args),
    cancel: async attempt => await memory.cancel(attempt),
    settle: async attempt => await memory.settle(attempt),
    record: async (...args) => {
      await memory.record(...args)
      writing.resolve()
      await given.promise
    },
  }
  const client = new ScriptedClient([])
  let claims = 0
  client.messages.nextBatch = async () => {
    claims += 1
    if (claims === 1) return { messages: [message('a')], claim: 1 }
    if (claims === 2) {
      await writing.promise
      return { messages: [message('a', { message: 'Edited' })], claim: 2 }
    }
    given.resolve()
    await turn()
    client.atEnd()
    return undefined
  }
  client.messages.report = async outcomes =>
    (outcomes as readonly PhoneReport[]).map(({ id }) => ({
      ...{ id, status: 200 },
      message: message(id, { status: 'S' }),
    }))
  const driver = new RecordingDriver()
  await startPhone(client, driver, { journal, concurrency: 1 }).done
  expect(driver.sent.map(each => each.text)).toEqual(['Hello there'])
})
