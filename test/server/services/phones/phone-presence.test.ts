import { describe, expect, test } from 'vitest'
import { hour, minute } from '../world.js'
import { day, openPhones, restart } from './phones-rig.js'

describe('a phone that reports presence', () => {
  /** A phone with quiet hours of two hours. */
  async function openQuiet() {
    const at = await openPhones()
    const until = at.world.time + 2 * hour
    const introduction = { name: 'a', driver: 'modem' }
    const present = (quietUntil?: number) => {
      at.phones.recordPresence(at.caller('a'), {
        ...introduction,
        ...(quietUntil && { quietUntil }),
      })
    }
    present(until)
    const phone = async (service = at.phones) => (await service.list(at.account))[0]
    return { ...at, until, present, phone }
  }

  test('is alive while it reports, and silent five minutes later', async () => {
    const { world, until, present, phone } = await openQuiet()
    while (world.time < until - minute) {
      await world.advance(5 * minute)
      expect((await phone())?.silent).toBe(false)
      present(until)
    }
    await world.advance(5 * minute)
    expect(await phone()).toMatchObject({ silent: false, lastSeenAt: world.time - 5 * minute })
    await world.advance(1)
    expect(await phone()).toMatchObject({ silent: true })
  })

  test('has quiet hours until their end, which is recorded', async () => {
    const { world, until, phone } = await openQuiet()
    await world.advance(2 * hour - 1)
    expect(await phone()).toMatchObject({ quietUntil: until })
    await world.advance(1)
    expect(await phone()).toMatchObject({ lastQuietAt: until })
    expect(await phone()).not.toHaveProperty('quietUntil')
  })

  test('keeps its quiet hours after a restart, and is deleted after 30 days', async () => {
    const at = await openQuiet()
    await at.phones.save()
    await at.world.advance(minute)
    at.present(at.until)
    const before = await at.phone()
    await at.phones.save()
    await at.world.advance(5 * minute)
    const again = await restart(at)
    expect(await at.phone(again)).toEqual(before)
    await at.world.advance(1)
    expect(await at.phone(again)).toMatchObject({ silent: true, quietUntil: at.until })
    await at.world.advance(30 * day)
    await again.save()
    expect(await at.phone(again)).toBeUndefined()
  })
})
