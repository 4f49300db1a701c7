import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scale } from '../../../../tier.js'
import { Model } from '../../model/model.js'
import { type Act, act, createCall, formatAct } from '../../model/model-acts.js'
import { getResult } from '../../model/model-comparison.js'
import { canLimitFiles, limitFiles } from '../file-size-limit.js'
import { StoreWorld, type Tear } from './model-world.js'

type Command = fc.AsyncCommand<Model, StoreWorld>

/** A command after which store and model are compared. */
function command(name: string, run: (model: Model, world: StoreWorld) => Promise<void>): Command {
  return {
    check: () => true,
    toString: () => name,
    run: async (model, world) => {
      await run(model, world)
      await world.compare()
    },
  }
}

/** Runs acts in one turn and compares each result with the model's. */
async function doAll(acts: readonly Act[], model: Model, world: StoreWorld): Promise<unknown[]> {
  const results = acts.map(each => {
    model.now += 1
    const call = createCall(each, model)
    const result = getResult(() => call.onStore(world.store))
    return [result, getResult(() => model.atomically(() => call.onModel(model)))] as const
  })
  const real = await Promise.all(results.map(([result]) => result))
  const expected = await Promise.all(results.map(([, result]) => result))
  if (!JSON.stringify(real).includes('"unavailable"')) expect(real).toEqual(expected)
  return real
}

const compactAbove = fc.constantFrom(0, 2000, 1 << 20)

const acts = fc.array(act, { minLength: 1, maxLength: 3 }).map(list =>
  command(`do ${list.map(formatAct).join(', ')}`, async (model, world) => {
    const answers = await doAll(list, model, world)
    expect(JSON.stringify(answers)).not.toContain('"unavailable"')
  }),
)

const waits = fc.constantFrom(1, 60_000, 120_000, 900_000).map(milliseconds =>
  command(`wait ${milliseconds}`, async model => {
    model.now += milliseconds
  }),
)

const deliveries = fc.nat(5).map(nth =>
  command(`deliver to ${nth}`, async (model, world) => {
    const subscription = model.state.subscriptions[nth]
    if (subscription !== undefined) await world.deliver(subscription)
  }),
)

const reopenings = compactAbove.map(bytes =>
  command(
    `close and open, compacting above ${bytes}`,
    async (_, world) => await world.reopen(bytes),
  ),
)

const crashes = compactAbove.map(bytes =>
  command(`crash, compacting above ${bytes}`, async (_, world) => {
    await world.crash(bytes)
    expect(world.warnings).toEqual([])
  }),
)

/** A torn write at the end of the file, or any of its sectors where it was preallocated. */
const tears = fc.oneof(
  fc.nat(999).map(part => ['at its end', upTo(part)] as const),
  fc
    .nat(999)
    .map(
      part =>
        [
          'in preallocated space',
          (line: Buffer) => line.fill(10, upTo(part)(line).length),
        ] as const,
    ),
  fc.nat(255).map(kept => [`in sectors ${kept}`, sectors(kept)] as const),
)

function upTo(part: number): (line: Buffer) => Buffer {
  return line => line.subarray(0, Math.floor((line.length * part) / 1000))
}

/** Of each eight sectors, those whose bit is set were written. */
function sectors(mask: number): Tear {
  return (line, at) => {
    for (let byte = 0; byte < line.length; byte += 1) {
      if (((mask >> (((at + byte) >> 9) & 7)) & 1) === 0) line[byte] = 10
    }
    return line
  }
}

const tornWrites = fc.tuple(act, tears, compactAbove).map(([each, [how, tear], bytes]) =>
  command(`crash ${how} while writing ${formatAct(each)}`, async (model, world) => {
    const before = model.state
    const size = await world.journalSize()
    const journal = await world.journalName()
    model.state = { ...before }
    await doAll([each], model, world)
    if ((await world.journalName()) !== journal) return await world.crash(bytes)
    const remains = await world.tear(bytes, size, tear)
    if (remains !== 'all') model.state = before
    expect(world.warnings.splice(0)).toHaveLength(remains === 'some' ? 1 : 0)
  }),
)

const fullDisks = fc.tuple(act, fc.nat(400)).map(([each, room]) =>
  command(`with ${room} bytes left do ${formatAct(each)}`, async (model, world) => {
    const before = model.state
    model.state = { ...before }
    limitFiles((await world.journalSize()) + room)
    try {
      const answers = await doAll([each], model, world)
      if (JSON.stringify(answers).includes('"unavailable"')) model.state = before
    } finally {
      limitFiles('unlimited')
    }
  }),
)

const often = [acts, acts, acts, acts, acts, acts, waits, deliveries]
const rarely = [reopenings, crashes, tornWrites, ...(canLimitFiles ? [fullDisks] : [])]

/** On a slow machine the time limit allows fewer runs. */
const bounds = { numRuns: scale(50), seed: 20_260_101, interruptAfterTimeLimit: 15_000 }

test('store and model agree after crashes, torn writes and on full disks', async () => {
  const commands = fc.commands([...often, ...rarely], { maxCommands: 60, size: 'max' })
  const check = async (steps: Iterable<Command>): Promise<void> => {
    const model = new Model()
    const world = new StoreWorld(model)
    await world.open(1 << 20)
    try {
      await fc.asyncModelRun(() => ({ model, real: world }), steps)
    } finally {
      await world.close()
    }
  }
  // After the time limit the current run continues; its directory must not be removed before.
  let running: Promise<void> = Promise.resolve()
  const property = fc.asyncProperty(commands, async steps => {
    running = check(steps)
    await running
  })
  await fc.assert(property, bounds).finally(() => running.catch(() => {}))
})
