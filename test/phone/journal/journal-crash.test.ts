import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { AttemptOutcome } from '../../../src/phone/driver-port/attempt-outcome.js'
import type { FinishedAttempt } from '../../../src/phone/journal/attempt-history.js'
import type { FileJournal } from '../../../src/phone/journal/file-journal.js'
import type { Journal } from '../../../src/phone/journal/journal.js'
import { decodeJournal } from '../../../src/phone/journal/journal-format.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { scale } from '../../tier.js'
import { message } from '../scripted-client.js'
import { copyAfterCrash, openJournal, readJournal } from './journal-rig.js'

const sent: AttemptOutcome = { result: 'sent', parts: 1 }
const failed: AttemptOutcome = { result: 'failed', error: 'no signal' }

const script: readonly ((journal: Journal) => Promise<unknown>)[] = [
  journal => journal.begin(message('a'), 'ka'),
  journal => journal.record({ id: 'a', key: 'ka' }, sent),
  journal => journal.settle({ id: 'a', key: 'ka' }),
  journal => journal.begin(message('b'), 'kb'),
  journal => journal.cancel({ id: 'b', key: 'kb' }),
  journal => journal.begin(message('c'), 'kc'),
  journal => journal.record({ id: 'c', key: 'kc' }, failed),
  journal => journal.begin(message('d'), 'kd'),
  journal => journal.settle({ id: 'c', key: 'kc' }),
  journal => journal.record({ id: 'd', key: 'kd' }, sent),
]

it('a journal that ends at any byte has the state after its last whole record', async () => {
  const directory = await temporaryFolder()
  const journal = (await openJournal(directory)).attempts
  const states = [{ length: (await readJournal(directory)).length, records: [] as unknown[] }]
  for (const step of script) {
    await step(journal)
    const bytes = await readJournal(directory)
    states.push({ length: bytes.length, records: [...decodeJournal('j', bytes).history.records()] })
  }
  const bytes = await readJournal(directory)
  const header = states[0]?.length ?? 0
  for (let cut = header; cut <= bytes.length; cut += 1) {
    const last = states.findLast(state => state.length <= cut)
    const { history, length, torn } = decodeJournal('j', bytes.subarray(0, cut))
    expect([...history.records()]).toEqual(last?.records)
    expect([length, torn]).toEqual([last?.length, cut - (last?.length ?? 0)])
  }
  for (let cut = 0; cut < header; cut += 1) {
    expect(() => decodeJournal('j', bytes.subarray(0, cut))).toThrow(/ 1\./)
  }
})

it('a journal with garbage after any byte has the state before it, and works', async () => {
  const directory = await temporaryFolder()
  const journal = (await openJournal(directory)).attempts
  const header = (await readJournal(directory)).length
  for (const step of script.slice(0, 3)) await step(journal)
  const bytes = await readJournal(directory)
  for (let cut = header; cut <= bytes.length; cut += 9) {
    const copy = await copyAfterCrash(directory)
    const garbage = Buffer.concat([bytes.subarray(0, cut), Buffer.alloc(5), Buffer.from('x\ny')])
    await writeFile(join(copy, 'journal'), garbage)
    const again = await openJournal(copy)
    expect(again.warnings).toHaveLength(1)
    await again.attempts.begin(message('z'), 'kz')
    await again[Symbol.asyncDispose]()
    const { history, torn } = decodeJournal('j', await readJournal(copy))
    expect(torn).toBe(0)
    expect([...history.listOpen()].map(each => each.id)).toContain('z')
  }
})

/** The promises of the journal in the simplest form. */
class Model {
  readonly open = new Map<string, { id: string; outcome?: AttemptOutcome }>()
  readonly sent = new Map<string, FinishedAttempt>()

  settle(key: string): void {
    const attempt = this.open.get(key)
    this.open.delete(key)
    if (attempt?.outcome?.result !== 'sent') return
    this.sent.set(attempt.id, { id: attempt.id, key, outcome: attempt.outcome })
  }

  crash(): void {
    const error = expect.any(String)
    for (const attempt of this.open.values()) attempt.outcome ??= { result: 'unknown', error }
  }

  unreported(): FinishedAttempt[] {
    return [...this.open].flatMap(([key, { id, outcome }]) =>
      outcome !== undefined ? [{ id, key, outcome }] : [],
    )
  }

  findFinished(id: string): FinishedAttempt | undefined {
    for (const [key, { id: other, outcome }] of this.open) {
      if (other === id && outcome !== undefined) return { id, key, outcome }
    }
    return this.sent.get(id)
  }
}

interface Real {
  directory: string
  journal: FileJournal
  keys: number
  readonly compactAfter: number
}

type Step = fc.AsyncCommand<Model, Real>

function step(
  name: string,
  check: (model: Model) => boolean,
  run: (model: Model, real: Real) => Promise<void>,
): Step {
  return { check, run, toString: () => name }
}

function begin(id: string): Step {
  const isFree = (model: Model): boolean =>
    [...model.open.values()].every(each => each.id !== id || each.outcome !== undefined)
  return step(`begin ${id}`, isFree, async (model, real) => {
    const key = `k${++real.keys}`
    const finished = await real.journal.attempts.begin(message(id), key)
    expect(finished).toEqual(model.findFinished(id))
    if (finished === undefined) model.open.set(key, { id })
  })
}

/** A step of the `n`th open attempt. */
function onOpen(name: string, n: number, isDone: boolean, run: Act): Step {
  const chosen = (model: Model) =>
    [...model.open].filter(([, { outcome }]) => (outcome !== undefined) === isDone)[n]
  return step(
    `${name} ${n}`,
    model => chosen(model) !== undefined,
    async (model, real) => {
      const [key = '', attempt] = chosen(model) ?? []
      if (attempt === undefined) return
      await run(real.journal.attempts, { id: attempt.id, key }, model)
    },
  )
}

type Act = (journal: Journal, attempt: { id: string; key: string }, model: Model) => Promise<void>

function record(n: number, outcome: AttemptOutcome): Step {
  return onOpen(`record ${outcome.result}`, n, false, async (journal, attempt, model) => {
    await journal.record(attempt, outcome)
    const open = model.open.get(attempt.key)
    if (open !== undefined) open.outcome = outcome
  })
}

function cancel(n: number): Step {
  return onOpen('cancel', n, false, async (journal, attempt, model) => {
    await journal.cancel(attempt)
    model.open.delete(attempt.key)
  })
}

function settle(n: number): Step {
  return onOpen('settle', n, true, async (journal, attempt, model) => {
    await journal.settle(attempt)
    model.settle(attempt.key)
  })
}

/** Continues after a crash, with `torn` bytes of a line that was being written. */
function crash(torn: number): Step {
  return step(
    `crash with ${torn} bytes of a line`,
    () => true,
    async (model, real) => {
      const copy = await copyAfterCrash(real.directory)
      await real.journal[Symbol.asyncDispose]()
      const bytes = await readJournal(copy)
      await writeFile(join(copy, 'journal'), '0123abcd {"do":"settle"}'.slice(0, torn), {
        flag: 'a',
      })
      if (torn === 0) await truncate(join(copy, 'journal'), bytes.length)
      real.directory = copy
      real.journal = await openJournal(copy, { compactAfter: real.compactAfter })
      model.crash()
      const unreported = real.journal.attempts.unreported()
      expect(unreported).toHaveLength(model.unreported().length)
      expect(unreported).toEqual(expect.arrayContaining(model.unreported()))
    },
  )
}

it('journal and model agree after any acts and crashes', async () => {
  const n = fc.nat(1)
  const steps = [
    fc.constantFrom('a', 'b', 'c').map(begin),
    fc.record({ n, outcome: fc.constantFrom(sent, failed) }).map(r => record(r.n, r.outcome)),
    n.map(settle),
    n.map(cancel),
    fc.nat(20).map(crash),
  ]
  await fc.assert(
    fc.asyncProperty(
      fc.commands(steps, { maxCommands: 30 }),
      fc.constantFrom(1, 400, 1_000_000),
      async (commands, compactAfter) => {
        const directory = await temporaryFolder()
        const journal = await openJournal(directory, { compactAfter })
        await fc.asyncModelRun(
          () => ({
            model: new Model(),
            real: { directory, journal, keys: 0, compactAfter },
          }),
          commands,
        )
      },
    ),
    { numRuns: scale(60) },
  )
})
