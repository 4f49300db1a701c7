import { expect, test } from 'vitest'
import type { Account } from '../../../../src/domain/account/account.js'
import type { SecretUrlTerms } from '../../../../src/domain/account/secret-url.js'
import type { Message } from '../../../../src/domain/message/message.js'
import { RelayError } from '../../../../src/errors.js'
import { MessageService } from '../../../../src/server/services/messages/message-service.js'
import { SecretUrlService } from '../../../../src/server/services/messages/secret-url-service.js'
import { hour, minute, World } from '../world.js'

const draft = { destinations: ['+12025550143'], text: 'x' }

const serviceOf = (world: World) => new SecretUrlService(world.context, world.messages)

/** A world with an account and its secret URL. */
async function open(terms: SecretUrlTerms & { expiresIn?: number } = {}) {
  const world = await World.open()
  const account = await world.account()
  const urls = serviceOf(world)
  const { secretUrl, secret } = await urls.create(account, terms)
  return { world, account, urls, id: secretUrl.id, secret }
}

async function use(urls: SecretUrlService, secret: string, key?: string): Promise<Message[]> {
  const secretUrl = await urls.find(secret)
  if (secretUrl === undefined) throw new Error('no such secret URL')
  return await urls.send(secretUrl, draft, key)
}

const countOf = async (urls: SecretUrlService, account: Account) =>
  (await urls.getPage(account, { count: 100 }))[0]?.uses?.count

const listTexts = async ({ messages }: World, account: Account) =>
  await messages.list(account, { filter: 'all', start: 0, count: 50, order: 'desc' })

test('a record with the same identifier and another hash is not found', async () => {
  const { world, urls, id, secret } = await open()
  await world.store.secretUrls.change(id, current =>
    current === undefined ? null : { ...current, hash: 'another' },
  )
  expect(await urls.find(secret)).toBeUndefined()
})

test('a secret URL expires', async () => {
  const { world, urls, secret } = await open({ expiresIn: hour })
  await world.advance(hour - 1)
  expect(await urls.find(secret)).toBeDefined()
  await world.advance(1)
  expect(await urls.find(secret)).toBeUndefined()
})

test('uses and the limit stay after a restart', async () => {
  const { world, account, urls, secret } = await open({ rate: { uses: 2, per: 'h' } })
  await use(urls, secret)
  await world.advance(minute)
  await use(urls, secret)
  await world.restart()
  const again = serviceOf(world)
  expect(await countOf(again, account)).toBe(2)
  await expect(use(again, secret)).rejects.toMatchObject({
    code: 'too_many_requests',
    retryAfter: 59 * 60,
  })
  await world.advance(59 * minute)
  await use(again, secret)
  expect(await countOf(again, account)).toBe(3)
})

/** Secret URLs on a store whose next changes of messages do or fail with what `act` does. */
function withChangeAll(world: World, act: () => Promise<void>): SecretUrlService {
  const messages = new Proxy(world.store.messages, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return async (...parameters: unknown[]) => {
        if (name === 'changeAll') await act()
        return await value.apply(target, parameters)
      }
    },
  })
  const store = Object.assign(Object.create(world.store), { messages })
  const context = { ...world.context, store }
  return new SecretUrlService(context, new MessageService(context))
}

test('a use that cannot be stored sends nothing', async () => {
  const { world, account, secret } = await open()
  const secretUrls = Object.assign(Object.create(world.store.secretUrls), {
    get: async (id: string) => await world.store.secretUrls.get(id),
    change: async () => {
      throw new RelayError('unavailable', 'the disk is full')
    },
  })
  const store = Object.assign(Object.create(world.store), { secretUrls })
  const urls = new SecretUrlService({ ...world.context, store }, world.messages)
  await expect(use(urls, secret)).rejects.toMatchObject({ code: 'unavailable' })
  expect(await listTexts(world, account)).toEqual([])
})

test('a use whose messages are all rejected does not count', async () => {
  const { world, account, secret, id } = await open({ rate: { uses: 2, per: 'h' } })
  await use(serviceOf(world), secret)
  const before = await world.store.secretUrls.get(id)
  await world.advance(minute)
  const urls = withChangeAll(world, async () => {
    await world.messages.accept(account, { destination: '+12025550143', text: 'y' }, 'url', key)
  })
  const key = `url ${id} 0 k`
  await expect(use(urls, secret, 'k')).rejects.toMatchObject({ code: 'invalid_request' })
  const { uses } = (await world.store.secretUrls.get(id)) ?? {}
  expect(uses).toMatchObject({ count: 1, recent: before?.uses?.recent })
  await use(urls, secret)
})

test('a use counts if nobody knows whether its messages were stored', async () => {
  const { world, account, secret } = await open({ rate: { uses: 1, per: 'h' } })
  let isDown = true
  const urls = withChangeAll(world, async () => {
    if (isDown) throw new RelayError('unavailable', 'the connection was lost')
  })
  await expect(use(urls, secret, 'k')).rejects.toMatchObject({ code: 'unavailable' })
  isDown = false
  await expect(use(urls, secret, 'l')).rejects.toMatchObject({ code: 'too_many_requests' })
  expect(await use(urls, secret, 'k')).toHaveLength(1)
  expect(await countOf(urls, account)).toBe(1)
})

test('a secret URL that ends during the request sends nothing', async () => {
  const { world, account, urls, id, secret } = await open({ expiresIn: hour })
  const found = await urls.find(secret)
  if (found === undefined) throw new Error('no such secret URL')
  await world.advance(hour)
  await expect(urls.send(found, draft)).rejects.toMatchObject({ code: 'not_found' })
  const { secretUrl } = await urls.create(account, {})
  await urls.revoke(account, secretUrl.id)
  await expect(urls.send(secretUrl, draft)).rejects.toMatchObject({ code: 'not_found' })
  expect(await urls.getPage(account, { count: 100 })).toMatchObject([{ id }])
  expect(await listTexts(world, account)).toEqual([])
})
