import { describe, expect, onTestFinished, test } from 'vitest'
import type { Account } from '../../../../src/domain/account/account.js'
import type { Caller } from '../../../../src/server/services/accounts/token-service.js'
import { PhoneService } from '../../../../src/server/services/phones/phone-service.js'
import { hour, minute, refusal, second, World } from '../world.js'

const day = 24 * hour

async function open() {
  const world = await World.open()
  const account = await world.account()
  const phones = new PhoneService(world.context)
  await phones.open()
  const caller = (holder: string, of: Account = account): Caller => {
    return { account: of, holder, kind: 'app' }
  }
  /** One NEXT that is answered at once. */
  const next = (name: string, driver = 'modem') =>
    phones.trackNext(caller(name), { name, driver })()
  const names = (service = phones) => service.list(account).map(phone => phone.name)
  return { world, account, phones, caller, next, names }
}

/** The phones as the next process knows them. */
async function restarted({ world }: { world: World }): Promise<PhoneService> {
  await world.restart()
  const again = new PhoneService(world.context)
  await again.open()
  return again
}

/** How many records of phones are written from now on. */
function countWrites(world: World): () => number {
  let writes = 0
  const { phones } = world.store
  const { change } = phones
  phones.change = async (...given) => {
    writes += 1
    return await change.apply(phones, given)
  }
  onTestFinished(() => {
    phones.change = change
  })
  return () => writes
}

describe('a phone', () => {
  test('is known by its first and its last NEXT, and by what it reported last', async () => {
    const { world, account, phones, caller, next } = await open()
    const first = world.time
    next('a')
    await world.advance(minute)
    next('a', 'smpp')
    await world.advance(second)
    phones.recordReport(caller('a'), {}, 'success')
    await world.advance(second)
    phones.recordReport(caller('a'), {}, 'failure')
    expect(phones.list(account)).toEqual([
      {
        ...{ name: 'a', driver: 'smpp', silent: false },
        ...{ firstNextAt: first, lastNextAt: first + minute, lastSeenAt: first + minute },
        ...{ lastSuccessAt: first + minute + second, lastFailureAt: first + minute + 2 * second },
      },
    ])
  })

  test('is silent when it did not ask for more than five minutes', async () => {
    const { world, account, phones, next } = await open()
    const silent = () => phones.list(account)[0]?.silent
    next('a')
    await world.advance(5 * minute)
    expect(silent()).toBe(false)
    await world.advance(1)
    expect(silent()).toBe(true)
    next('a')
    expect(silent()).toBe(false)
  })

  test('is alive as long as one of its NEXTs is held open', async () => {
    const { world, account, phones, caller } = await open()
    const one = phones.trackNext(caller('t1'), { name: 'a' })
    const other = phones.trackNext(caller('t2'), { name: 'a' })
    await world.advance(hour)
    one()
    await world.advance(hour)
    expect(phones.list(account)).toMatchObject([{ lastNextAt: world.time, silent: false }])
    other()
    const end = world.time
    await world.advance(5 * minute + 1)
    expect(phones.list(account)).toMatchObject([{ lastNextAt: end, silent: true }])
  })

  test('is not known by a token of another kind, nor by a report alone', async () => {
    const { phones, account, caller, names } = await open()
    phones.trackNext({ account, holder: 't', kind: 'api' }, { name: 'a' })
    phones.recordReport(caller('t'), { name: 'b' }, 'success')
    phones.recordReport(caller('t'), {}, 'success')
    expect(names()).toEqual([])
  })

  test('that was not seen for 30 days is forgotten, on the disk, too', async () => {
    const at = await open()
    at.next('old')
    await at.phones.save()
    await at.world.advance(30 * day)
    at.next('new')
    await at.phones.save()
    expect(at.names()).toEqual(['new', 'old'])
    await at.world.advance(1)
    await at.phones.save()
    expect(at.names()).toEqual(['new'])
    expect(at.names(await restarted(at))).toEqual(['new'])
  })

  test('is one of 1,000 at most: the one that was not seen for longest goes', async () => {
    const at = await open()
    for (let n = 0; n < 1000; n += 1) {
      at.next(`phone ${n}`)
      await at.world.advance(1)
    }
    await at.phones.save()
    at.next('phone 0')
    at.next('one more')
    await at.phones.save()
    const again = await restarted(at)
    for (const service of [at.phones, again]) {
      expect(at.names(service)).toHaveLength(1000)
      expect(at.names(service)).not.toContain('phone 1')
      expect(at.names(service)).toEqual(expect.arrayContaining(['phone 0', 'one more']))
    }
  })

  test('that is forgotten is gone from the disk, and known again when it asks again', async () => {
    const at = await open()
    at.next('a')
    await at.phones.save()
    at.next('a')
    expect(await at.phones.forget(at.account, 'a')).toMatchObject({ name: 'a' })
    expect(await at.world.store.phones.list()).toEqual([])
    await at.phones.save()
    expect(await refusal(at.phones.forget(at.account, 'a'))).toMatchObject({ code: 'not_found' })
    expect(at.names(await restarted(at))).toEqual([])
    at.next('a')
    expect(at.names()).toEqual(['a'])
  })
})

describe('a phone that does not ask', () => {
  /** One that said at the beginning that it is at rest for two hours. */
  async function rest() {
    const at = await open()
    const until = at.world.time + 2 * hour
    const said = { name: 'a', driver: 'modem' }
    const isThere = (quietUntil?: number) => {
      at.phones.recordPresence(at.caller('a'), { ...said, ...(quietUntil && { quietUntil }) })
    }
    isThere(until)
    const phone = (service = at.phones) => service.list(at.account)[0]
    return { ...at, until, isThere, phone }
  }

  test('is known by what it says, which is no NEXT', async () => {
    const { world, until, phone } = await rest()
    expect(phone()).toEqual({
      ...{ name: 'a', driver: 'modem', silent: false },
      ...{ lastSeenAt: world.time, quietUntil: until },
    })
  })

  test('is alive while it says so, and silent after five minutes like any other', async () => {
    const { world, until, isThere, phone } = await rest()
    while (world.time < until - minute) {
      await world.advance(5 * minute)
      expect(phone()?.silent).toBe(false)
      isThere(until)
    }
    await world.advance(5 * minute)
    expect(phone()).toMatchObject({ silent: false, lastSeenAt: world.time - 5 * minute })
    await world.advance(1)
    expect(phone()).toMatchObject({ silent: true })
  })

  test('is at rest until its time, and it is known when that was', async () => {
    const { world, until, phone } = await rest()
    await world.advance(2 * hour - 1)
    expect(phone()).toMatchObject({ quietUntil: until })
    await world.advance(1)
    expect(phone()).toMatchObject({ lastQuietAt: until })
    expect(phone()).not.toHaveProperty('quietUntil')
  })

  test('is at rest no more when it asks, nor while it does', async () => {
    const { world, phones, caller, isThere, next, phone } = await rest()
    await world.advance(minute)
    const began = world.time
    next('a')
    expect(phone()).toMatchObject({ lastNextAt: began, lastQuietAt: began })
    expect(phone()).not.toHaveProperty('quietUntil')
    const answered = phones.trackNext(caller('other'), { name: 'a' })
    isThere(world.time + hour)
    expect(phone()).not.toHaveProperty('quietUntil')
    await world.advance(minute)
    answered()
    expect(phone()).toMatchObject({ lastQuietAt: world.time })
  })

  test('is at rest no more when it says so without a time, and its NEXT stays where it was', async () => {
    const { world, isThere, next, phone } = await rest()
    next('a')
    const asked = world.time
    isThere(world.time + hour)
    await world.advance(minute)
    isThere()
    expect(phone()).toMatchObject({
      ...{ lastNextAt: asked, lastSeenAt: world.time, lastQuietAt: world.time },
    })
  })

  test('is at rest for seven days at most', async () => {
    const { world, isThere, phone } = await rest()
    isThere(world.time + 400 * day)
    expect(phone()?.quietUntil).toBe(world.time + 7 * day)
    isThere(world.time + 7 * day - 1)
    expect(phone()?.quietUntil).toBe(world.time + 7 * day - 1)
  })

  test('is known without a name by a time alone', async () => {
    const { world, phones, caller, names } = await rest()
    phones.recordPresence(caller('t'), { driver: 'modem' })
    phones.recordPresence(caller('t'), { name: 'b\u00fcro' })
    expect(names()).toEqual(['a'])
    phones.recordPresence(caller('t'), { quietUntil: world.time + hour })
    expect(names()).toEqual(['a', 'unnamed'])
  })

  test('is not known by a token of another kind', async () => {
    const { phones, account, until, names } = await rest()
    phones.recordPresence({ account, holder: 't', kind: 'api' }, { name: 'b', quietUntil: until })
    expect(names()).toEqual(['a'])
  })

  test('is at rest after a restart, silent five minutes later, and forgotten after 30 days', async () => {
    const at = await rest()
    await at.phones.save()
    await at.world.advance(minute)
    at.isThere(at.until)
    const before = at.phone()
    await at.phones.save()
    await at.world.advance(6 * minute)
    const again = await restarted(at)
    expect(at.phone(again)).toEqual(before)
    await at.world.advance(5 * minute + 1)
    expect(at.phone(again)).toMatchObject({ silent: true, quietUntil: at.until })
    await at.world.advance(30 * day)
    await again.save()
    expect(at.phone(again)).toBeUndefined()
  })
})

test('a phone that was kept before phones said that they are there is known as it was', async () => {
  const at = await open()
  const times = { firstNextAt: at.world.time - hour, lastNextAt: at.world.time }
  const old = { id: 'x', account: at.account.id, name: 'old', driver: 'modem', ...times }
  await at.world.store.phones.change(old.id, () => old)
  const again = await restarted(at)
  const known = { name: 'old', driver: 'modem', ...times, lastSeenAt: times.lastNextAt }
  expect(again.list(at.account)).toEqual([{ ...known, silent: false }])
})

describe('on the disk', () => {
  test('is what was saved, and it is there after a restart', async () => {
    const at = await open()
    at.next('a')
    at.phones.recordReport(at.caller('a'), {}, 'success')
    const saved = at.phones.list(at.account)
    await at.phones.save()
    await at.world.advance(second)
    at.next('a')
    const again = await restarted(at)
    expect(again.list(at.account)).toEqual(saved)
  })

  test('a phone is written once, however often it asked, and not when nothing is new', async () => {
    const { world, phones, caller, next } = await open()
    const writes = countWrites(world)
    for (let n = 0; n < 100; n += 1) next('a')
    phones.recordReport(caller('a'), {}, 'success')
    expect(writes()).toBe(0)
    await phones.save()
    expect(writes()).toBe(1)
    await phones.save()
    expect(writes()).toBe(1)
  })

  test('a phone that could not be written is written the next time', async () => {
    const at = await open()
    const { phones } = at.world.store
    const { change } = phones
    phones.change = () => Promise.reject(new Error('full'))
    at.next('a')
    await expect(at.phones.save()).rejects.toThrow('full')
    phones.change = change
    await at.phones.save()
    expect(at.names(await restarted(at))).toEqual(['a'])
  })

  test('no phone of an account that was deleted comes back', async () => {
    const at = await open()
    at.next('a')
    await at.phones.save()
    at.next('a')
    await at.world.store.accounts.remove(at.account.id)
    await at.phones.save()
    expect(at.names()).toEqual([])
    expect(at.names(await restarted(at))).toEqual([])
  })
})

test('phones are not silent because the service was not there', async () => {
  const at = await open()
  at.next('a')
  await at.phones.save()
  await at.world.advance(day)
  const again = await restarted(at)
  expect(again.list(at.account)).toMatchObject([{ silent: false }])
  await at.world.advance(5 * minute + 1)
  expect(again.list(at.account)).toMatchObject([{ silent: true }])
})
