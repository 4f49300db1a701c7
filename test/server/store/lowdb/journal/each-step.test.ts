import { cpSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { checkData, exportData } from '../../../../../src/server/store/lowdb/journal/data-tools.js'
import { CrashTrigger } from '../../../../../tools/chaos/injection/crash-point.js'
import { DurableFiles } from '../../../../../tools/chaos/injection/durable-files.js'
import { watchFiles } from '../../../../../tools/chaos/injection/watch-files.js'
import { temporaryFolder } from '../../../../temporary-folder.js'
import { accept, listMessages } from '../../rig.js'
import { openStore } from '../lowdb-rig.js'

/** Calls `onStep` before each write, sync, rename and removal, and within writes of a journal. */
class StepTrigger extends CrashTrigger {
  onStep: ((step: string) => void) | undefined
  #step = ''

  override countAct(act: string, file: string): 'before' | 'torn' | undefined {
    if (this.onStep === undefined) return undefined
    const isTorn = act === 'write' && file.startsWith('journal')
    this.#step = `${isTorn ? 'within' : 'before'} ${act} of ${file}`
    return isTorn ? 'torn' : 'before'
  }

  /** The files are now as after a crash at this step. */
  readonly end = (): void => this.onStep?.(this.#step)
}

const trigger = new StepTrigger({ act: 'write', when: 'before' })
watchFiles({
  durable: new DurableFiles(false),
  disk: undefined,
  trigger,
  end: trigger.end as () => never,
  onDurable: () => {},
})
afterEach(() => {
  trigger.onStep = undefined
})

interface Step<T> {
  readonly name: string
  readonly folder: string
  /** What was known at that moment. */
  readonly known: T
}

/** Copies a folder at each step of `work`. */
async function recordSteps<T>(folder: string, getKnown: () => T, work: () => Promise<void>) {
  const steps: Step<T>[] = []
  const parent = await temporaryFolder()
  trigger.onStep = name => {
    const copy = join(parent, `${steps.length}`)
    cpSync(folder, copy, { recursive: true })
    steps.push({ name, folder: copy, known: getKnown() })
  }
  await work()
  trigger.onStep = undefined
  return steps
}

test('a crash at each step of start, change, compaction and end loses no message', async () => {
  const folder = await temporaryFolder()
  const accepted: string[] = []
  const steps = await recordSteps(
    folder,
    () => [...accepted],
    async () => {
      for (const [round, compactAbove] of [1e9, 0, 3000, 0].entries()) {
        const store = await openStore(folder, { compactAbove })
        for (const at of [1, 2, 3, 4]) {
          const id = `m${round}-${at}`
          await accept(store, id, { text: 'x'.repeat(500) })
          accepted.push(id)
        }
        await store.close()
      }
    },
  )
  expect(steps.length).toBeGreaterThan(100)
  expect(new Set(steps.map(step => step.name.replace(/\d+/g, ''))).size).toBeGreaterThan(9)
  for (const { name, folder: copy, known } of steps) {
    const { damages } = await checkData(copy)
    expect(
      damages.filter(each => each.kind === 'damaged'),
      name,
    ).toEqual([])
    const store = await openStore(copy, { compactAbove: 0 })
    const found = (await listMessages(store)).map(each => each.id)
    await store.close()
    // One change was being stored.
    expect(found.slice(0, known.length), name).toEqual(known)
    expect(found.length - known.length, name).toBeLessThan(2)
  }
})

test('a crash at each step of the upgrade of format 1 loses no record', async () => {
  const fixture = new URL('../../../../fixtures/data-directory', import.meta.url).pathname
  const folder = await temporaryFolder()
  await cp(fixture, folder, { recursive: true })
  const records = await exportAll(folder)
  const steps = await recordSteps(
    folder,
    () => undefined,
    async () => await (await openStore(folder)).close(),
  )
  expect(steps.length).toBeGreaterThan(12)
  for (const { name, folder: copy } of steps) {
    expect(await exportAll(copy), name).toEqual(records)
    await (await openStore(copy)).close()
    expect(await exportAll(copy), name).toEqual(records)
    expect(await exportAll(join(copy, 'format-1')), name).toEqual(records)
  }
})

async function exportAll(folder: string): Promise<unknown[]> {
  const records: unknown[] = []
  for await (const each of exportData(folder)) records.push(each)
  return records
}
