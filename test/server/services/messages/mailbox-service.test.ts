import { expect, test } from 'vitest'
import { MailboxService } from '../../../../src/server/services/messages/mailbox-service.js'
import { World } from '../world.js'

const draft = {
  name: '',
  destinations: ['+12025550143'],
  senders: ['*'],
  ...({ subject: 'never', max_length: 160 } as const),
}

async function open() {
  const world = await World.open()
  const mailboxes = new MailboxService(world.context, { domain: 'localhost', receiving: true })
  return { world, mailboxes, account: await world.account() }
}

test('a local part with number and key is short enough for RFC 5321', async () => {
  const { mailboxes, account } = await open()
  const { key = '' } = await mailboxes.create(account, { ...draft, destinations: [] })
  expect(`+${'9'.repeat(15)}.${key}`.length).toBeLessThanOrEqual(64)
})
