import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Administration } from '../../../src/server/admin/administration.js'
import { openAdministration } from '../../../src/server/open-relay.js'
import { administer, newDirectory, openRelay } from './rig.js'

test('a missing directory is an error with a hint', async () => {
  const directory = join(await newDirectory(), 'mistyped')
  await expect(openAdministration(directory)).rejects.toMatchObject({
    code: 'configuration',
    message: expect.stringContaining(directory),
    hint: expect.stringContaining('--data'),
  })
  await expect(stat(directory)).rejects.toMatchObject({ code: 'ENOENT' })
})

test('a missing directory is created on request', async () => {
  const directory = join(await newDirectory(), 'new', 'place')
  const admin = await administer(directory, true)
  await admin.createAccount({ email: 'ann@example.com' })
  await admin.close()
  expect(await (await administer(directory)).listAccounts()).toMatchObject([
    { email: 'ann@example.com' },
  ])
})

test('an empty directory name is a usage error', async () => {
  await expect(openAdministration('')).rejects.toMatchObject({ code: 'usage' })
})

test('without a relay it holds the directory until close', async () => {
  const directory = await newDirectory()
  const admin = await administer(directory)
  await expect(openRelay(directory)).rejects.toMatchObject({ code: 'directory_in_use' })
  await admin.close()
  await expect(openRelay(directory)).resolves.toBeDefined()
})

test('with a relay it leaves the relay running after close', async () => {
  const directory = await newDirectory()
  const relay = await openRelay(directory)
  await relay.start()
  const admin = await administer(directory)
  const { secret_key, api_key } = await admin.createAccount({ email: 'ann@example.com' })
  await admin.close()
  const basic = Buffer.from(`${secret_key}:${api_key}`).toString('base64')
  const reply = await fetch(`${relay.url}/oauth`, { headers: { authorization: `Basic ${basic}` } })
  expect(reply.status).toBe(200)
  await reply.body?.cancel()
})

test('several can be open at once without a relay', async () => {
  const directory = await newDirectory()
  const many = await Promise.all([1, 2, 3, 4].map(() => administer(directory)))
  const create = (admin: Administration, n: number) =>
    admin.createAccount({ email: `user${n}@example.com` })
  await Promise.all(many.map(create))
  expect(await many[0]?.listAccounts()).toHaveLength(4)
})

test('changes stay when another process holds the directory', async () => {
  const directory = await newDirectory()
  const first = await administer(directory)
  const created = await first.createAccount({ email: 'ann@example.com' })
  await first.addDoNotText('+12025550143')
  await first.close()
  const relay = await openRelay(directory)
  expect(await relay.administration.showAccount('ann@example.com')).toMatchObject({
    id: created.id,
    secret_key: created.secret_key,
    app_key: created.app_key,
  })
  expect(await relay.administration.listDoNotText()).toHaveLength(1)
})
