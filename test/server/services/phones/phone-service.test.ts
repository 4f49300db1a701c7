import { describe, expect, test } from 'vitest'
import { activitySlot } from '../../../../src/domain/phone/phone-activity.js'
import { hour, minute, second } from '../world.js'
import { countWrites, day, openPhones, restart } from './phones-rig.js'

describe('a phone', () => {
  test('has the times of its first and last NEXT and of its last reports', async () => {
    const { world, account, phones, caller, next } = await openPhones()
    const first = world.time
    next('a')
    await world.advance(minute)
    next('a', 'smpp')
    await world.advance(second)
    phones.recordReport(caller('a'), {}, 'success')
    await world.advance(second)
    phones.recordReport(caller('a'), {}, 'failure')
    expect(await phones.list(account)).toEqual([
      {
        name: 'a',
        driver: 'smpp',
        silent: false,
        firstNextAt: first,
        lastNextAt: first + minute,
        lastSeenAt: first + minute,
        lastSuccessAt: first + minute + second,
        lastFailureAt: first + minute + 2 * second,
        holder: 'a',
        activity: `${Math.floor(first / activitySlot)} a1`,
      },
    ])
  })

  test('is silent after five minutes without a NEXT', async () => {
    const { world, account, phones, next } = await openPhones()
    const silent = async () => (await phones.list(account))[0]?.silent
    next('a')
    await world.advance(5 * minute)
    expect(await silent()).toBe(false)
    await world.advance(1)
    expect(await silent()).toBe(true)
    next('a')
    expect(await silent()).toBe(false)
  })

  test('is alive while one of its NEXTs waits', async () => {
    const { world, account, phones, caller } = await openPhones()
    const one = phones.trackNext(caller('t1'), { name: 'a' })
    const other = phones.trackNext(caller('t2'), { name: 'a' })
    await world.advance(hour)
    one()
    await world.advance(hour)
    expect(await phones.list(account)).toMatchObject([{ lastNextAt: world.time, silent: false }])
    other()
    const end = world.time
    await world.advance(5 * minute + 1)
    expect(await phones.list(account)).toMatchObject([{ lastNextAt: end, silent: true }])
  })

  test('that was not seen for 30 days is deleted, also from the store', async () => {
    const at = await openPhones()
    at.next('old')
    await at.phones.save()
    await at.world.advance(30 * day)
    at.next('new')
    await at.phones.save()
    expect(await at.names()).toEqual(['new', 'old'])
    await at.phones.removeOld()
    expect(await at.names()).toEqual(['new', 'old'])
    await at.world.advance(1)
    expect(await at.names()).toEqual(['new'])
    await at.phones.removeOld()
    expect((await at.world.store.phones.list()).map(phone => phone.name)).toEqual(['new'])
  })

  test('replaces the one not seen for longest if there are 1,000', async () => {
    const at = await openPhones()
    for (let n = 0; n < 1000; n += 1) {
      at.next(`phone ${n}`)
      await at.world.advance(1)
    }
    await at.phones.save()
    at.next('phone 0')
    at.next('one more')
    await at.phones.save()
    const again = await restart(at)
    for (const service of [at.phones, again]) {
      expect(await at.names(service)).toHaveLength(1000)
      expect(await at.names(service)).not.toContain('phone 1')
      expect(await at.names(service)).toEqual(expect.arrayContaining(['phone 0', 'one more']))
    }
  })
})

describe('the store', () => {
  test('gets one write for many changes of a phone, and no write without a change', async () => {
    const { world, phones, caller, next } = await openPhones()
    const writes = countWrites(world)
    for (let n = 0; n < 100; n += 1) next('a')
    phones.recordReport(caller('a'), {}, 'success')
    expect(writes()).toBe(0)
    await phones.save()
    expect(writes()).toBe(1)
    await phones.save()
    expect(writes()).toBe(1)
  })

  test('gets a failed write again at the next save', async () => {
    const at = await openPhones()
    const { phones } = at.world.store
    const { change } = phones
    phones.change = () => Promise.reject(new Error('full'))
    at.next('a')
    await expect(at.phones.save()).rejects.toThrow('full')
    phones.change = change
    await at.phones.save()
    expect(await at.names(await restart(at))).toEqual(['a'])
  })

  test('gets no phone of a deleted account', async () => {
    const at = await openPhones()
    at.next('a')
    await at.phones.save()
    at.next('a')
    await at.world.store.accounts.remove(at.account.id)
    await at.phones.save()
    expect(await at.names()).toEqual([])
    expect(await at.names(await restart(at))).toEqual([])
  })
})

test('a restart does not change when a phone is silent', async () => {
  const at = await openPhones()
  at.next('dead')
  await at.world.advance(4 * minute)
  at.next('alive')
  await at.phones.save()
  await at.world.advance(minute + 1)
  const again = await restart(at)
  const [alive, dead] = await again.list(at.account)
  expect(alive).toMatchObject({ name: 'alive', silent: false })
  expect(dead).toMatchObject({ name: 'dead', silent: true })
  await at.world.advance(4 * minute)
  expect(await again.list(at.account)).toMatchObject([{ silent: true }, { silent: true }])
})
