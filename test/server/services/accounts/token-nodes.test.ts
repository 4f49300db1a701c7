import { expect, test } from 'vitest'
import { TokenService, toTokenId } from '../../../../src/server/services/accounts/token-service.js'
import { lifetime, minute, World } from '../world.js'

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
  const isValid = async (node: TokenService, isUse = true) =>
    await node.getCaller(id, isUse).then(
      () => true,
      () => false,
    )
  return { world, one, other, isValid, countWrites: () => writes }
}

test('a token is valid for its lifetime on a node that did not see its last use', async () => {
  const { world, one, other, isValid, countWrites } = await openNodes()
  await world.advance(lifetime / 17)
  const used = world.time
  expect(await isValid(one)).toBe(true)
  expect(countWrites()).toBe(0)
  for (let passed = 0; passed < lifetime - minute; passed += minute) {
    await world.advance(minute)
    await one.storeExtensions()
    await other.storeExtensions()
  }
  expect(countWrites()).toBe(1)
  await other.removeExpired()
  await world.advance(lifetime - (world.time - used) - 1)
  expect(await isValid(other, false)).toBe(true)
  await world.advance(1)
  expect([await isValid(other, false), await isValid(one, false)]).toEqual([false, false])
})

test('a token is valid on a node that knows only an earlier use', async () => {
  const { world, one, other, isValid } = await openNodes()
  for (let use = 0; use < 20; use += 1) {
    expect([use, await isValid(one)]).toEqual([use, true])
    await world.advance(lifetime / 2)
    expect([use, await isValid(other)]).toEqual([use, true])
    await world.advance(lifetime - 1)
    await other.storeExtensions()
  }
})

test('tokens in use are stored each sixteenth of a lifetime, not more often', async () => {
  const { world, one, isValid, countWrites } = await openNodes()
  for (let passed = 0; passed < 4 * lifetime; passed += 10 * minute) {
    await world.advance(10 * minute)
    expect(await isValid(one)).toBe(true)
    await one.storeExtensions()
  }
  expect(countWrites()).toBeLessThanOrEqual(4 * 16)
})
