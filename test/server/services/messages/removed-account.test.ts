import { expect, test } from 'vitest'
import { MailService } from '../../../../src/server/services/messages/mail-service.js'
import { MailboxService } from '../../../../src/server/services/messages/mailbox-service.js'
import { World } from '../world.js'

async function open() {
  const world = await World.open()
  const account = await world.account()
  const stored = async () =>
    await world.store.messages.list({
      account: account.id,
      statuses: ['N', 'B'],
      start: 0,
      count: 100,
      order: 'asc',
    })
  return { world, account, stored }
}

test('a message of an account that is removed during the request is not stored', async () => {
  const { world, account, stored } = await open()
  await world.store.accounts.remove(account.id)
  await expect(world.create(account)).rejects.toMatchObject({ code: 'invalid_token' })
  await expect(world.create(account, {}, 'k')).rejects.toMatchObject({ code: 'invalid_token' })
  expect(await stored()).toEqual([])
})

test('an account that is removed during the request gets no subscription', async () => {
  const { world, account } = await open()
  const target = { url: 'http://127.0.0.1:9/', method: 'POST', post: true } as const
  await world.store.accounts.remove(account.id)
  const created = world.subscriptions.create(account, { event: 'message.create', ...target })
  await expect(created).rejects.toMatchObject({ code: 'invalid_token' })
  expect(await world.store.subscriptions.list()).toEqual([])
})

test('a mail to an account that is removed during the request becomes no message', async () => {
  const { world, account, stored } = await open()
  const mailboxes = new MailboxService(world.context, { domain: 'localhost', receiving: true })
  const draft = { name: '', alias: 'a', destinations: ['+12025550143'], senders: ['*'] }
  await mailboxes.create(account, { ...draft, subject: 'never', max_length: 160 })
  const addressee = await mailboxes.find('a')
  if (addressee === undefined) throw new Error('no such address')
  await world.store.accounts.remove(account.id)
  const mail = new MailService(world, world.messages)
  await expect(mail.accept([{ addressee, text: 'x' }], 'id')).rejects.toMatchObject({
    code: 'invalid_token',
  })
  expect(await stored()).toEqual([])
})
