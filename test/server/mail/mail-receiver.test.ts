import { expect, test } from 'vitest'
import { readMailParts } from '../../../src/server/mail/mail-parts.js'
import { MailReceiver } from '../../../src/server/mail/mail-receiver.js'
import { RecipientThrottle } from '../../../src/server/mail/recipient-throttle.js'
import { MailService } from '../../../src/server/services/messages/mail-service.js'
import { MailboxService } from '../../../src/server/services/messages/mailbox-service.js'
import { measureProcessorTime } from '../../processor-time.js'
import { hour, World } from '../services/world.js'

const domain = 'sms.example.com'

async function open() {
  const world = await World.open()
  const mailboxes = new MailboxService(world.context, { domain, receiving: true })
  const held: string[] = []
  const reception = new MailReceiver({
    ...{ mailboxes, mail: new MailService(world.context, world.messages) },
    throttle: new RecipientThrottle(world.context, 2),
    delayReply: async () => {
      held.push('held')
    },
  })
  const check = async (local: string, remote = '192.0.2.1'): Promise<unknown> =>
    await reception.checkRecipient(`${local}@${domain}`, remote).catch(error => error.responseCode)
  return { world, mailboxes, reception, held, check }
}

test('a client that guesses is delayed for unknown recipients only', async () => {
  const { world, mailboxes, held, check } = await open()
  const draft = { name: '', destinations: [], senders: [], max_length: 160 }
  const { key } = await mailboxes.create(await world.account(), { ...draft, subject: 'never' })
  const known = `12025550143.${key}`
  expect([await check('a'), await check('b')]).toEqual([550, 550])
  expect(held).toEqual([])
  expect([await check('c'), await check('d')]).toEqual([421, 421])
  expect(held).toHaveLength(2)
  expect(await check(known)).toBeUndefined()
  expect(await check('e', '192.0.2.2')).toBe(550)
  expect(held).toHaveLength(2)
  await world.advance(hour)
  expect(await check('f')).toBe(550)
})

test('a mail to many recipients is parsed once', async () => {
  const { world, mailboxes, reception } = await open()
  const draft = { name: '', destinations: [], senders: [], max_length: 160 }
  const { key } = await mailboxes.create(await world.account(), { ...draft, subject: 'never' })
  const recipients = Array.from({ length: 20 }, (_, at) => `${12025550110 + at}.${key}@${domain}`)
  const head = 'From: bob@example.org\r\nContent-Type: text/html\r\n\r\n'
  const mail = await readMailParts([Buffer.from(`${head}Hello${'<'.repeat(200_000)}`)], 1e6)
  const accept = async () => await reception.accept(mail, { sender: 'bob@example.org', recipients })
  expect(await measureProcessorTime(accept)).toBeLessThan(4000)
})
