import { expect, test } from 'vitest'
import type { ReceivedText } from '../../../../src/domain/phone/received-text.js'
import { createMailSender } from '../../../../src/server/mail/mail-sender.js'
import { AutomaticMail } from '../../../../src/server/services/automatic-mail.js'
import { ReceivedMail } from '../../../../src/server/services/phones/received-mail.js'
import { openMailServer } from '../../collecting-mail-server.js'
import { createObservers } from '../../observers.js'
import { accountWith } from '../../store/rig.js'
import { World } from '../../webhooks/world.js'

const minute = 60_000

async function open() {
  const world = await World.open()
  await world.store.accounts.create(accountWith('a', { receivedMail: 'ann@example.com' }))
  const server = await openMailServer()
  const context = { ...createObservers(), ...{ store: world.store, clock: world.clock } }
  const send = createMailSender({ url: server.url, from: 'relay@example.org', requireTls: false })
  const start = async () => {
    const services = { ...context, newId: () => 'id' }
    const mail = new AutomaticMail(services, send, 'received mail')
    const received = new ReceivedMail(services, mail, error => expect.fail(String(error)))
    await received.start()
    return received
  }
  let count = 0
  const receive = async (text: string, fields: Partial<ReceivedText> = {}) => {
    count += 1
    const now = world.clock.now()
    const base = { id: `r${count}`, account: 'a', from: '+12025550143', text }
    await world.store.receivedTexts.add(
      { ...base, ...{ receivedAt: now, createdAt: now }, ...fields },
      () => ({ events: ['message.received'] }),
      () => ({}),
    )
  }
  const mailed = async () => (await world.store.accounts.get('a'))?.receivedMailed
  return { world, server, start, receive, mailed }
}

test('received texts are mailed, at most one mail in ten minutes, and each once', async () => {
  const { world, server, start, receive, mailed } = await open()
  const service = await start()
  await receive('Hello', { to: '+12025550100', line: 'SIM 1' })
  world.clock.advance(5000)
  await expect.poll(mailed).toBe('r1')
  const [first] = server.mails
  expect(first?.to).toBe('ann@example.com')
  expect(first?.body).toMatch(/^Subject: smsrelay: 1 text from \+12025550143/m)
  expect(first?.body).toMatch(/From: \+12025550143\r\nTo: \+12025550100\r\nReceived by: SIM 1/)
  expect(first?.body).toMatch(/^Auto-Submitted: auto-generated/m)
  for (const text of ['Two', 'Three']) await receive(text)
  world.clock.advance(minute)
  await expect
    .poll(async () => (await world.store.limits.get('received mail', 'a'))?.nextAt)
    .toBeDefined()
  expect(server.mails).toHaveLength(1)
  world.clock.advance(10 * minute)
  await expect.poll(mailed).toBe('r3')
  expect(server.mails).toHaveLength(2)
  expect(server.mails[1]?.body).toMatch(/2 texts[\s\S]*Two[\s\S]*Three/)
  await service.stop()
})

test('a text that was not mailed before a restart is mailed after it', async () => {
  const { world, server, start, receive, mailed } = await open()
  const before = await start()
  server.state.isBroken = true
  await receive('An MMS', { text: '', kind: 'mms', size: 95_001, subject: 'Holiday' })
  world.clock.advance(5000)
  await expect.poll(() => server.state.attempts).toBe(1)
  await before.stop()
  server.state.isBroken = false
  const after = await start()
  world.clock.advance(2 * minute)
  world.clock.advance(2 * minute)
  await expect.poll(mailed).toBe('r1')
  expect(server.mails[0]?.body).toContain('An MMS of 96 kB waits at the operator: Holiday')
  await after.stop()
})
