import { expect, test } from 'vitest'
import { toTokenId } from '../../../../src/server/services/accounts/session-token.js'
import { TokenService } from '../../../../src/server/services/accounts/token-service.js'
import { hour, lifetime, minute, second, World } from '../world.js'

/** Two nodes on one store, and a token that the first one issued. */
async function openNodes() {
  const world = await World.open()
  const { secretKey, appKey } = await world.account()
  const [one, other] = [new TokenService(world.context, lifetime), world.tokens]
  const { extend } = world.store.tokens
  let writes = 0
  world.store.tokens.extend = async (id, expiresAt) => {
    writes += 1
    await extend.call(world.store.tokens, id, expiresAt)
  }
  const id = toTokenId((await one.issue(secretKey, appKey)).token)
  const isValid = async (node: TokenService) => (await node.getEndTime(id)) !== undefined
  const use = async (node: TokenService) =>
    await node.getCaller(id).then(
      () => true,
      () => false,
    )
  return { world, one, other, isValid, use, countWrites: () => writes }
}

test('a token is valid for its lifetime on a node that did not see its last use', async () => {
  const { world, one, other, isValid, use, countWrites } = await openNodes()
  await world.advance(lifetime / 17)
  const used = world.time
  expect(await use(one)).toBe(true)
  expect(countWrites()).toBe(0)
  for (let passed = 0; passed < lifetime - minute; passed += minute) {
    await world.advance(minute)
    await one.storeExtensions()
    await other.storeExtensions()
  }
  expect(countWrites()).toBe(1)
  await other.removeExpired()
  await world.advance(lifetime - (world.time - used) - 1)
  expect(await isValid(other)).toBe(true)
  await world.advance(1)
  expect([await isValid(other), await isValid(one)]).toEqual([false, false])
})

test('a token is valid on a node that knows only an earlier use', async () => {
  const { world, one, other, use } = await openNodes()
  for (let round = 0; round < 20; round += 1) {
    expect([round, await use(one)]).toEqual([round, true])
    await world.advance(lifetime / 2)
    expect([round, await use(other)]).toEqual([round, true])
    await world.advance(lifetime - 1)
    await other.storeExtensions()
  }
})

test('a session is valid for 12 hours on a node that did not see its last use', async () => {
  const world = await World.open()
  const account = await world.account()
  // However short the lifetime of tokens of the API is.
  const [one, other] = [1, 2].map(() => new TokenService(world.context, second)) as [
    TokenService,
    TokenService,
  ]
  const { token } = await one.startSession({ account })
  await world.advance(minute / 2)
  await one.getSessionCaller(token)
  for (let passed = 0; passed < 12 * hour - minute; passed += minute) {
    await world.advance(minute)
    await one.storeExtensions()
    await other.removeExpired()
  }
  await world.advance(minute - 1)
  expect(await other.getEndTime(toTokenId(token))).toBe(world.time + 1)
})

test('tokens in use are stored each sixteenth of a lifetime, not more often', async () => {
  const { world, one, use, countWrites } = await openNodes()
  for (let passed = 0; passed < 4 * lifetime; passed += 10 * minute) {
    await world.advance(10 * minute)
    expect(await use(one)).toBe(true)
    await one.storeExtensions()
  }
  expect(countWrites()).toBeLessThanOrEqual(4 * 16)
})

async function turnOnSecondFactor(world: World, email: string): Promise<void> {
  const { id } = await world.accounts.get(email)
  const secondFactor = { recoveryCodes: [], passkeys: [] }
  await world.store.accounts.change(id, account => ({ ...account, secondFactor }))
}

test.each([
  ['api', async (world: World, email: string) => await world.accounts.rotateKeys(email, 'api')],
  ['api', async (world: World, email: string) => await world.accounts.rotateKeys(email, 'secret')],
  ['app', async (world: World, email: string) => await world.accounts.rotateKeys(email, 'app')],
  ['login', async (world: World, email: string) => await world.accounts.setPassword(email)],
  ['login', async (world: World, email: string) => await world.accounts.remove(email)],
  ['login', turnOnSecondFactor],
] as const)(
  'no token of kind %s is issued for credentials that end during it',
  async (kind, end) => {
    const world = await World.open()
    const { account, password, apiKey } = await world.accounts.create({ email: 'ann@example.com' })
    const { email, secretKey, appKey } = account
    const { put } = world.store.tokens
    let id = ''
    // As on a node that is suspended between its check and its commit.
    world.store.tokens.put = async token => {
      id = token.id
      await end(world, email)
      await put.call(world.store.tokens, token)
    }
    const [user, key] = {
      api: [secretKey, apiKey],
      app: [secretKey, appKey],
      login: [email, password],
    }[kind] as [string, string]
    await expect(world.tokens.issue(user, key)).rejects.toMatchObject({ code: 'invalid_client' })
    expect(await world.store.tokens.get(id)).toBeUndefined()
  },
)

test('a token is issued while other credentials of its account change', async () => {
  const world = await World.open()
  const { account } = await world.accounts.create({ email: 'ann@example.com' })
  const { put } = world.store.tokens
  world.store.tokens.put = async token => {
    await world.accounts.rotateKeys(account.email, 'api')
    await put.call(world.store.tokens, token)
  }
  const issued = await world.tokens.issue(account.secretKey, account.appKey)
  expect(issued.kind).toBe('app')
})
