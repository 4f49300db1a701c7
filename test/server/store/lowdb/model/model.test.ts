import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canLimitFiles, limitFiles } from '../file-size-limit.js'
import { Model } from './model.js'
import { type Act, act, callOf, wordsOf } from './model-acts.js'
import { answerOf, StoreWorld, type Tear } from './model-world.js'

type Command = fc.AsyncCommand<Model, StoreWorld>

/** A command that is always possible, and after which store and model are alike. */
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

/** Does acts within one turn, and compares each answer with the model's. */
async function doAll(acts: readonly Act[], model: Model, world: StoreWorld): Promise<unknown[]> {
  const answers = acts.map(each => {
    model.now += 1
    const call = callOf(each, model)
    const answer = answerOf(() => call.onStore(world.store))
    return [answer, answerOf(() => model.atomically(() => call.onModel(model)))] as const
  })
  const real = await Promise.all(answers.map(([answer]) => answer))
  const wanted = await Promise.all(answers.map(([, answer]) => answer))
  if (!JSON.stringify(real).includes('"unavailable"')) expect(real).toEqual(wanted)
  return real
}

const foldAbove = fc.constantFrom(0, 2000, 1 << 20)

const acts = fc.array(act, { minLength: 1, maxLength: 3 }).map(list =>
  command(`do ${list.map(wordsOf).join(', ')}`, async (model, world) => {
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

const reopenings = foldAbove.map(bytes =>
  command(`close and open, folding above ${bytes}`, async (_, world) => await world.reopen(bytes)),
)

const crashes = foldAbove.map(bytes =>
  command(`crash, folding above ${bytes}`, async (_, world) => {
    await world.crash(bytes)
    expect(world.warnings).toEqual([])
  }),
)

/** The file had become longer, or had room: then any of the sectors of a disk may be there. */
const tears = fc.oneof(
  fc.nat(999).map(part => ['at its end', upTo(part)] as const),
  fc
    .nat(999)
    .map(part => ['in room', (line: Buffer) => line.fill(10, upTo(part)(line).length)] as const),
  fc.nat(255).map(kept => [`in sectors but for ${kept}`, sectors(kept)] as const),
)

function upTo(part: number): (line: Buffer) => Buffer {
  return line => line.subarray(0, Math.floor((line.length * part) / 1000))
}

/** Of each eight sectors those are there whose bits are set. */
function sectors(kept: number): Tear {
  return (line, at) => {
    for (let byte = 0; byte < line.length; byte += 1) {
      if (((kept >> (((at + byte) >> 9) & 7)) & 1) === 0) line[byte] = 10
    }
    return line
  }
}

const tornWrites = fc.tuple(act, tears, foldAbove).map(([each, [how, tear], bytes]) =>
  command(`crash ${how} while writing ${wordsOf(each)}`, async (model, world) => {
    const before = model.state
    const size = await world.journalSize()
    const journal = await world.journalName()
    model.state = { ...before }
    await doAll([each], model, world)
    if ((await world.journalName()) !== journal) return await world.crash(bytes)
    const left = await world.tear(bytes, size, tear)
    if (left !== 'all') model.state = before
    expect(world.warnings.splice(0)).toHaveLength(left === 'some' ? 1 : 0)
  }),
)

const fullDisks = fc.tuple(act, fc.nat(400)).map(([each, room]) =>
  command(`with ${room} bytes left do ${wordsOf(each)}`, async (model, world) => {
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

/** On a slow machine fewer runs have to do. */
const bounds = { numRuns: 50, seed: 20_260_101, interruptAfterTimeLimit: 15_000 }

test('the store does what its model does, through crashes, torn writes and full disks', async () => {
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
  // The time limit ends the assertion, but not the run in hand, which still works on its directory.
  let running: Promise<void> = Promise.resolve()
  const property = fc.asyncProperty(commands, async steps => {
    running = check(steps)
    await running
  })
  await fc.assert(property, bounds).finally(() => running.catch(() => {}))
}, 60_000)
