import { expect, test } from 'vitest'
import { PhoneService } from '../../../../src/server/services/phones/phone-service.js'
import { hour, minute, second } from '../world.js'
import { countWrites, openPhones } from './phones-rig.js'

const saveInterval = 10 * second

/** Two nodes on one store that save at their intervals. */
async function openNodes() {
  const at = await openPhones()
  const [one, other] = [at.phones, new PhoneService(at.world.context)]
  const advance = async (time: number) => {
    for (let passed = 0; passed < time; passed += saveInterval) {
      await at.world.advance(Math.min(saveInterval, time - passed))
      await Promise.all([one.save(), other.save()])
    }
  }
  const next = (node: PhoneService, name: string) =>
    node.trackNext(at.caller(name), { name, driver: 'modem' })()
  const get = async (node: PhoneService) => (await node.list(at.account))[0]
  return { ...at, one, other, advance, next, get }
}

test('a phone that waits on another node is alive, and silent when it stops', async () => {
  const { world, one, other, caller, advance, get } = await openNodes()
  const answer = one.trackNext(caller('a'), { name: 'a', driver: 'modem' })
  await advance(hour)
  expect(await get(other)).toMatchObject({ silent: false, lastNextAt: world.time })
  expect(await get(one)).toEqual(await get(other))
  answer()
  const end = world.time
  await advance(5 * minute)
  expect(await get(other)).toMatchObject({ silent: false, lastNextAt: end })
  await advance(1)
  expect(await get(other)).toMatchObject({ silent: true, lastNextAt: end, driver: 'modem' })
  expect(await get(one)).toEqual(await get(other))
})

test('a report without a name belongs to the phone of its token, or to `unnamed`', async () => {
  const { world, account, one, other, caller, advance } = await openNodes()
  one.trackNext(caller('t'), {})()
  await advance(saveInterval)
  other.recordReport(caller('t'), {}, 'success')
  expect(await other.list(account)).toMatchObject([{ name: 'unnamed', lastSuccessAt: world.time }])
  one.trackNext(caller('t'), { name: 'a' })()
  one.recordReport(caller('t'), {}, 'failure')
  const listed = [{ name: 'a', lastFailureAt: world.time }, { name: 'unnamed' }]
  expect(await one.list(account)).toMatchObject(listed)
})

test('quiet hours that one node knows of end with a NEXT on another', async () => {
  const { world, one, other, caller, advance, next, get } = await openNodes()
  const quietUntil = world.time + hour
  one.recordPresence(caller('a'), { name: 'a', driver: 'modem', quietUntil })
  await advance(minute)
  expect(await get(other)).toMatchObject({ quietUntil })
  const end = world.time
  next(other, 'a')
  await world.advance(second)
  next(other, 'a')
  expect(await get(other)).toMatchObject({ lastQuietAt: end })
  await advance(minute)
  expect(await get(one)).toMatchObject({ lastQuietAt: end })
})

test('a late save does not replace what another node has learned since', async () => {
  const { world, one, other, caller, get } = await openNodes()
  const quietUntil = world.time + hour
  one.recordPresence(caller('a'), { name: 'a', driver: 'old', quietUntil })
  await world.advance(second)
  other.trackNext(caller('a'), { name: 'a', driver: 'new' })()
  const lastNextAt = world.time
  await other.save()
  await one.save()
  const expected = { driver: 'new', lastNextAt, lastQuietAt: lastNextAt }
  expect(await get(one)).toMatchObject(expected)
  expect(await get(other)).toMatchObject(expected)
})

test('a phone forgotten on one node is gone on all, and its next NEXT adds it again', async () => {
  const { world, account, one, other, advance, next } = await openNodes()
  next(one, 'a')
  await advance(saveInterval)
  expect(await other.forget(account, 'a')).toMatchObject({ name: 'a' })
  for (const node of [one, other]) expect(await node.list(account)).toEqual([])
  await advance(minute)
  next(one, 'a')
  const firstNextAt = world.time
  await advance(minute)
  expect(await other.list(account)).toMatchObject([{ name: 'a', firstNextAt }])
})

test('a phone forgotten during its save stays forgotten', async () => {
  const { account, one, next } = await openNodes()
  next(one, 'a')
  const [, forgotten] = await Promise.all([one.save(), one.forget(account, 'a')])
  expect(forgotten).toMatchObject({ name: 'a' })
  expect(await one.list(account)).toEqual([])
})

test('what a phone does during a save, failed or not, is listed and saved next', async () => {
  const { world, one, other, caller, next, get } = await openNodes()
  const first = world.time
  const { phones } = world.store
  const { change } = phones
  next(one, 'a')
  await one.save()
  await world.advance(second)
  next(one, 'a')
  let fail = (_: Error): void => {}
  phones.change = () =>
    new Promise((_, reject) => {
      fail = reject
    })
  const failed = expect(one.save()).rejects.toThrow('full')
  await world.advance(second)
  one.recordReport(caller('a'), {}, 'success')
  const reported = { lastNextAt: first + second, lastSuccessAt: first + 2 * second }
  expect(await get(one)).toMatchObject(reported)
  expect(await get(other)).toMatchObject({ lastNextAt: first })
  expect(await get(other)).not.toHaveProperty('lastSuccessAt')
  fail(new Error('full'))
  await failed
  phones.change = change
  const saved = one.save()
  one.recordReport(caller('a'), {}, 'failure')
  await saved
  await one.save()
  const reports = { ...reported, lastFailureAt: first + 2 * second }
  expect(await get(other)).toMatchObject({ firstNextAt: first, ...reports })
})

test('of more than 1,000 phones on all nodes the last seen are listed and stay', async () => {
  const { account, world, one, other, advance, next } = await openNodes()
  for (let n = 0; n < 1200; n += 1) {
    next(n % 2 === 0 ? one : other, `phone ${n}`)
    await world.advance(1)
  }
  await advance(saveInterval)
  const expected = Array.from({ length: 1000 }, (_, n) => `phone ${n + 200}`).sort()
  for (const node of [one, other]) {
    expect((await node.list(account)).map(phone => phone.name)).toEqual(expected)
  }
  expect(await world.store.phones.list()).toHaveLength(1000)
})

test('an idle node writes nothing, a new token once, a waiting phone with each save', async () => {
  const { world, one, other, caller, advance } = await openNodes()
  const writes = countWrites(world)
  const answer = one.trackNext(caller('a'), { name: 'a' })
  await advance(6 * saveInterval)
  expect(writes()).toBe(7)
  answer()
  await one.save()
  await other.save()
  await advance(minute)
  expect(writes()).toBe(8)
})
