import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Account } from '../../../src/domain/account/account.js'
import { deliveryStates } from '../../../src/domain/message/delivery-status.js'
import { type countNames, createEmptyCounts } from '../../../src/domain/message/message-counts.js'
import { StatisticsService } from '../../../src/server/services/statistics-service.js'
import { hour, minute, World } from './world.js'

const day = 24 * hour

interface Happened {
  readonly what: (typeof countNames)[number]
  readonly at: number
}

function countAll(happened: readonly Happened[], now: number, offset: number) {
  const spans = (length: number, count: number) => {
    const ahead = offset * minute
    const last = now - ((((now + ahead) % length) + length) % length)
    return Array.from({ length: count }, (_, n) => {
      const from = last - (count - 1 - n) * length
      const counts = createEmptyCounts()
      for (const { what, at } of happened) if (at >= from && at < from + length) counts[what] += 1
      return { from, ...counts }
    })
  }
  const days = spans(day, 90)
  return { today: days.at(-1), hours: spans(hour, 48), days }
}

/** Does something to a new message, and returns what it counts as. */
async function act(world: World, account: Account, kind: number): Promise<Happened[]> {
  const at = world.time
  const created = { what: 'created', at } as const
  if (kind === 0) {
    await world.create(account, { to: '+12025550199' })
    return [created, { what: 'blocked', at }]
  }
  const { id } = await world.create(account)
  if (kind === 1) return [created]
  if (kind === 2) {
    for (let n = 0; n < 5; n += 1) await world.failed(account, 'phone', id)
    return [created, { what: 'failed', at }]
  }
  await world.sent(account, 'phone', id)
  if (kind === 4) await world.messages.remove(account, id)
  const state = deliveryStates[kind - 5]
  if (state === undefined) return [created, { what: 'sent', at }]
  const status = world.receipts
  await status.report(account, [{ id, state: 'pending' }])
  await status.report(account, [{ id, state }])
  if (at % 2 === 0) await world.messages.remove(account, id)
  return [created, { what: 'sent', at }, { what: state, at }]
}

const offsets = fc.constantFrom(0, 60, 330, -210, 840, -720)
const step = fc.record({
  kind: fc.nat(8),
  wait: fc.constantFrom(0, 1, 3, 14 * minute, hour, 25 * hour, 31 * day),
})

test('hours and days have the right counts, also after restarts and sweeps', async () => {
  const property = fc.asyncProperty(
    fc.array(step, { maxLength: 12 }),
    offsets,
    async (steps, offset) => {
      const world = await World.open()
      const account = await world.account()
      const other = await world.account()
      await world.doNotText.add({ scope: account.id, country: 'US' }, '+12025550199')
      const happened: Happened[] = []
      for (const { kind, wait } of steps) {
        happened.push(...(await act(world, account, kind)))
        await world.advance(wait)
        await new StatisticsService(world.context).sweep()
      }
      await world.create(other)
      const shown = await new StatisticsService(world.context).get(account, offset)
      expect(shown).toEqual(countAll(happened, world.time, offset))
      await world.restart()
      const again = new StatisticsService(world.context)
      await again.sweep()
      expect(await again.get(account, offset)).toEqual(shown)
    },
  )
  await fc.assert(property, { numRuns: 25, interruptAfterTimeLimit: 15_000 })
})
