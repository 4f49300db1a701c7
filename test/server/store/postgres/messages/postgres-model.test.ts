import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openPostgresStore } from '../../../../../src/server/store/postgres/postgres-store.js'
import type { Store } from '../../../../../src/server/store/store.js'
import { createClock } from '../../../../../src/util/async/clock.js'
import { scale } from '../../../../tier.js'
import { Model } from '../../model/model.js'
import { type Act, act, createCall, formatAct } from '../../model/model-acts.js'
import { getResult, ModelComparison } from '../../model/model-comparison.js'
import { takeMigratedDatabase } from '../test-postgres.js'

/** Two nodes on one database. */
interface Nodes {
  readonly stores: readonly [Store, Store]
  readonly comparison: ModelComparison
}

type Command = fc.AsyncCommand<Model, Nodes>

/** A command after which the store of a node is compared with the model. */
function command(
  name: string,
  node: 0 | 1,
  run: (model: Model, nodes: Nodes) => Promise<void>,
): Command {
  return {
    check: () => true,
    toString: () => name,
    run: async (model, nodes) => {
      await run(model, nodes)
      await nodes.comparison.compare(nodes.stores[node])
    },
  }
}

async function doAct(each: Act, model: Model, store: Store): Promise<void> {
  model.now += 1
  const call = createCall(each, model)
  const real = await getResult(() => call.onStore(store))
  expect(real).toEqual(await getResult(() => model.atomically(() => call.onModel(model))))
}

const node = fc.constantFrom(0 as const, 1 as const)

const acts = fc
  .tuple(fc.array(fc.tuple(act, node), { minLength: 1, maxLength: 5 }), node)
  .map(([list, reader]) =>
    command(
      `do ${list.map(([each, at]) => `${formatAct(each)} on ${at}`).join(', ')}`,
      reader,
      async (model, { stores }) => {
        for (const [each, at] of list) await doAct(each, model, stores[at])
      },
    ),
  )

const waits = fc
  .tuple(fc.constantFrom(1, 60_000, 120_000, 900_000), node)
  .map(([milliseconds, reader]) =>
    command(`wait ${milliseconds}`, reader, async model => {
      model.now += milliseconds
    }),
  )

const deliveries = fc.tuple(fc.nat(5), node, node).map(([nth, writer, reader]) =>
  command(`deliver to ${nth} on ${writer}`, reader, async (model, { stores, comparison }) => {
    const subscription = model.state.subscriptions[nth]
    if (subscription !== undefined) await comparison.deliver(stores[writer], subscription)
  }),
)

/** On a slow machine the time limit allows fewer runs. */
const bounds = { numRuns: scale(20), interruptAfterTimeLimit: 10_000 }

test('two nodes on one database agree with the model', async () => {
  const commands = fc.commands([acts, acts, acts, acts, waits, deliveries], {
    maxCommands: 30,
    size: 'max',
  })
  const check = async (steps: Iterable<Command>): Promise<void> => {
    const { url, release } = await takeMigratedDatabase()
    const model = new Model()
    const open = async () => {
      const options = { clock: createClock(), random: Math.random, now: () => model.now }
      return await openPostgresStore({ url }, options)
    }
    const stores = [await open(), await open()] as const
    const real = { stores, comparison: new ModelComparison(model) }
    try {
      await fc.asyncModelRun(() => ({ model, real }), steps)
    } finally {
      for (const store of stores) await store.close()
      await release()
    }
  }
  // After the time limit the current run continues; its database must not be released before.
  let running: Promise<void> = Promise.resolve()
  const property = fc.asyncProperty(commands, async steps => {
    running = check(steps)
    await running
  })
  await fc.assert(property, bounds).finally(() => running.catch(() => {}))
})
