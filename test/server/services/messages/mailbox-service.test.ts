import { expect, test } from 'vitest'
import { MailboxService } from '../../../../src/server/services/messages/mailbox-service.js'
import { World } from '../world.js'

const draft = {
  name: '',
  destinations: ['+12025550143'],
  senders: ['*'],
  ...({ subject: 'never', length: 160 } as const),
}

async function open() {
  const world = await World.open()
  const mailboxes = new MailboxService(world.context, { domain: 'localhost', receiving: true })
  return { world, mailboxes, account: await world.account() }
}

test('of two concurrent requests for an alias one succeeds', async () => {
  const { mailboxes, account } = await open()
  const requests = Array.from({ length: 5 }, () =>
    mailboxes.create(account, { ...draft, alias: 'a' }),
  )
  const results = await Promise.allSettled(requests)
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await mailboxes.getPage(account, { count: 100 })).toHaveLength(1)
  await expect(mailboxes.create(account, { ...draft, alias: 'b' })).resolves.toBeDefined()
})

test('a removed account gets no mailbox, and its alias is free', async () => {
  const { world, mailboxes, account } = await open()
  await world.store.accounts.remove(account.id)
  const late = mailboxes.create(account, { ...draft, alias: 'a' })
  await expect(late).rejects.toMatchObject({ code: 'invalid_token' })
  const other = await world.account()
  await expect(mailboxes.create(other, { ...draft, alias: 'a' })).resolves.toBeDefined()
})

test('a mailbox is found by its key after a restart, and the key is not stored', async () => {
  const { world, mailboxes, account } = await open()
  const { mailbox, key = '' } = await mailboxes.create(account, { ...draft, destinations: [] })
  expect(JSON.stringify(mailbox)).not.toContain(key)
  await world.restart()
  const again = new MailboxService(world.context, mailboxes.settings)
  expect(await again.find(`2025550143.${key}`)).toMatchObject({
    ...{ mailbox, account: { id: account.id }, destinations: ['+12025550143'] },
  })
  expect(await again.find(key)).toBeUndefined()
  expect(await again.find(`.${key}`).catch(error => error.code)).toBe('invalid_parameter')
})

test('a local part with number and key is short enough for RFC 5321', async () => {
  const { mailboxes, account } = await open()
  const { key = '' } = await mailboxes.create(account, { ...draft, destinations: [] })
  expect(`+${'9'.repeat(15)}.${key}`.length).toBeLessThanOrEqual(64)
})
