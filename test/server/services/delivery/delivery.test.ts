import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type DeliveryMode, deliveryModes } from '../../../../src/domain/account/account.js'
import { scale } from '../../../tier.js'
import { hour, World } from '../world.js'
import { batchCommands } from './batch-commands.js'
import {
  claimNext,
  type DeliveryCommand,
  type DeliveryWorld,
  deliveryCommands,
} from './delivery-commands.js'
import { DeliveryModel } from './delivery-model.js'

/** Runs of each mode; SMSRELAY_TEST_RUNS sets more, with another seed each time. */
const runs = process.env.SMSRELAY_TEST_RUNS
const bounds =
  runs === undefined
    ? { numRuns: scale(100), seed: 20_260_101, interruptAfterTimeLimit: 3500 }
    : { numRuns: Number(runs) }
const timeLimit = runs === undefined ? 180_000 : 1000 * Number(runs)

async function openWorld(mode: DeliveryMode): Promise<DeliveryWorld> {
  const world = await World.open()
  const account = await world.account({ mode, stopText: 'You get no more texts.' })
  const holders = [0, 1, 2].map(async () => await world.phone(account))
  return { world, account, holders: await Promise.all(holders), received: new Map() }
}

/** Lets a phone without faults send all that is left. */
async function drain(model: DeliveryModel, real: DeliveryWorld): Promise<void> {
  const { world, account } = real
  await world.advance(2 * hour)
  model.now = world.time
  await world.claims.settleExpiredLeases()
  const holder = await world.phone(account)
  for (;;) {
    const id = await claimNext(model, real, holder)
    if (id === undefined) break
    await world.sent(account, holder, id)
    model.get(id).state = 'sent'
  }
  for (const message of model.messages) {
    model.compare(message, await world.read(message.id))
    expect(message.state).not.toBe('waiting')
  }
}

describe.each(deliveryModes)('%s', mode => {
  test(
    'in any run nobody gets a message too early, too often or never',
    async () => {
      const commands = fc.commands([...deliveryCommands, ...batchCommands], {
        maxCommands: 60,
        size: 'max',
      })
      const check = async (steps: Iterable<DeliveryCommand>): Promise<void> => {
        const real = await openWorld(mode)
        const model = new DeliveryModel(mode, real.world.time)
        await fc.asyncModelRun(() => ({ model, real }), steps)
        await drain(model, real)
      }
      // After the time limit the current run continues; its directory must not be removed before.
      let running: Promise<void> = Promise.resolve()
      const property = fc.asyncProperty(commands, async steps => {
        running = check(steps)
        await running
      })
      await fc.assert(property, bounds).finally(() => running.catch(() => {}))
    },
    timeLimit,
  )
})
