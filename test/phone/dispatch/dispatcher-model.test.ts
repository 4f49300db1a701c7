import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runDispatcher } from '../../../src/phone/dispatch/run-dispatcher.js'
import { type Driver, DriverError } from '../../../src/phone/driver-port/driver.js'
import type { FileJournal } from '../../../src/phone/journal/file-journal.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { scale } from '../../tier.js'
import { FakeClock } from '../../util/async/fake-clock.js'
import { copyAfterCrash, openJournal } from '../journal/journal-rig.js'
import { ModelRelay, type RelayFault } from './model-relay.js'

/** What the driver does with a text. */
type DriverAct = 'sent' | 'retry' | 'trouble' | 'unknown' | 'throttled'

interface Plan {
  readonly messages: number
  readonly numbers: number
  readonly window: number
  readonly relayFaults: readonly (RelayFault | undefined)[]
  readonly driverActs: readonly DriverAct[]
  /** Calls of the driver after which the phone dies, once for each. */
  readonly deaths: readonly number[]
}

const plan = fc.record({
  messages: fc.integer({ min: 1, max: 30 }),
  numbers: fc.integer({ min: 1, max: 8 }),
  window: fc.constantFrom(1, 2, 5, 20),
  relayFaults: fc.array(
    fc.option(
      fc.constantFrom<RelayFault>(
        ...(['lost-request', 'lost-reply', 'busy', 'wrong-reply', 'busy-items'] as const),
      ),
      { nil: undefined },
    ),
    { maxLength: 30 },
  ),
  driverActs: fc.array(
    fc.constantFrom<DriverAct>('sent', 'retry', 'trouble', 'unknown', 'throttled'),
    { maxLength: 30 },
  ),
  deaths: fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 2 }),
})

/** The world of one plan: a relay, a driver with a record of its calls, and lives of a phone. */
class World {
  readonly clock = new FakeClock({ auto: true })
  readonly relay: ModelRelay
  /** Ids in the order in which the network got them. */
  readonly sent: string[] = []
  /** Ids in the order of the first call of the driver for each. */
  readonly called = new Set<string>()
  /** Times that each message may have been sent, which nobody knows. */
  readonly doubts = new Map<string, number>()
  readonly violations: string[] = []
  readonly #plan: Plan
  readonly #acts: DriverAct[]
  readonly #answered = new Set<string>()

  constructor(given: Plan) {
    this.#plan = given
    this.#acts = [...given.driverActs]
    this.relay = new ModelRelay(this.clock, given.relayFaults)
    for (let n = 0; n < given.messages; n += 1) {
      this.relay.add(`m${n}`, `+1202555010${n % given.numbers}`)
    }
  }

  /** Runs a phone until all is done, or until it dies in a call of the driver. */
  async live(journal: FileJournal, callsToDeath: number): Promise<void> {
    const stop = new AbortController()
    let calls = 0
    let isDead = false
    await new Promise<void>((resolve, reject) => {
      this.relay.onEmpty = () => {
        if (this.relay.isDone) stop.abort()
      }
      const driver = this.#createDriver(
        async () => {
          calls += 1
          isDead ||= calls >= callsToDeath
          if (!isDead) return
          resolve()
          await new Promise(() => {})
        },
        () => isDead,
      )
      const client = this.relay.createClient(() => isDead)
      const { window: concurrency } = this.#plan
      runDispatcher({
        ...{ client, driver, concurrency, journal: journal.attempts, stop: stop.signal },
        ...{ clock: this.clock, random: () => 0.5 },
      }).then(() => resolve(), reject)
    })
  }

  addDoubt(id: string): void {
    this.doubts.set(id, (this.doubts.get(id) ?? 0) + 1)
  }

  #createDriver(die: () => Promise<void>, isDead: () => boolean): Driver {
    const inFlight = new Map<string, string>()
    return {
      name: 'model',
      send: async ({ id, destination }) => {
        this.called.add(id)
        await die()
        const isOverlap = [...inFlight.values()].includes(destination)
        inFlight.set(id, destination)
        this.#checkBounds(inFlight.size, isOverlap)
        await this.clock.sleep(3)
        if (isDead()) await new Promise(() => {})
        inFlight.delete(id)
        return this.#act(id)
      },
      health: async () => ({ ok: false }),
      async [Symbol.asyncDispose]() {},
    }
  }

  #checkBounds(inFlight: number, isOverlap: boolean): void {
    const { window } = this.#plan
    const held = this.relay.leased.filter(id => !this.#answered.has(id))
    if (inFlight > window) this.violations.push(`${inFlight} in flight`)
    if (isOverlap) this.violations.push('two messages to a number in flight')
    if (held.length > 2 * window) this.violations.push(`${held.length} held: ${held.join()}`)
  }

  #act(id: string): { parts: number } {
    const act = this.#acts.shift() ?? 'sent'
    if (act === 'trouble') throw new DriverError('trouble', 'no network')
    if (act === 'throttled') throw new DriverError('trouble', 'slow', { wait: 4000 })
    this.#answered.add(id)
    if (act === 'retry') throw new DriverError('retry', 'busy')
    this.sent.push(id)
    if (act === 'sent') return { parts: 1 }
    this.addDoubt(id)
    throw new DriverError('unknown', 'no answer')
  }
}

async function runPlan(given: Plan): Promise<void> {
  const world = new World(given)
  let directory = await temporaryFolder()
  for (const death of [...given.deaths, Number.POSITIVE_INFINITY]) {
    const journal = await openJournal(directory)
    // An attempt without an outcome may have been sent, and is reported as unknown.
    for (const { id, outcome } of journal.attempts.unreported()) {
      if (outcome.result === 'unknown') world.addDoubt(id)
    }
    await world.live(journal, death)
    // A phone that ends closes its journal, which waits for records that need not be durable.
    if (world.relay.isDone) await journal[Symbol.asyncDispose]()
    directory = await copyAfterCrash(directory)
    if (world.relay.isDone) break
  }
  expect(world.violations).toEqual([])
  expect(world.relay.isDone).toBe(true)
  expect((await openJournal(directory)).attempts.unreported()).toEqual([])
  const { sent, called, doubts, relay } = world
  for (const id of relay.entries.keys()) {
    const times = sent.filter(each => each === id).length
    expect(times).toBeGreaterThanOrEqual(1)
    expect(times).toBeLessThanOrEqual(1 + (doubts.get(id) ?? 0))
  }
  // A message whose outcome nobody knows is sent again later, after others to its number.
  const known = [...called].filter(id => !doubts.has(id)).map(id => Number(id.slice(1)))
  for (let number = 0; number < given.numbers; number += 1) {
    const order = known.filter(n => n % given.numbers === number)
    expect(order).toEqual([...order].sort((a, b) => a - b))
  }
}

it('nothing is lost, doubled or out of order, whatever relay, driver and phone do', async () => {
  await fc.assert(fc.asyncProperty(plan, runPlan), { numRuns: scale(25) })
})
