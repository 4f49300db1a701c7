import { cpSync } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkData } from '../../../../../src/server/store/lowdb/journal/data-tools.js'
import { temporaryFolder } from '../../../../temporary-folder.js'
import { isFullRun } from '../../../../tier.js'
import { accept, listMessages } from '../../rig.js'
import { watchFileSteps } from '../file-steps.js'
import { copyFolder, firstJournal, openStore, withoutPreallocation } from '../lowdb-rig.js'

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
  const stop = await watchFileSteps(name => {
    const copy = join(parent, `${steps.length}`)
    cpSync(folder, copy, { recursive: true })
    steps.push({ name, folder: copy, known: getKnown() })
  })
  await work().finally(stop)
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
  for (const [at, { name, folder: copy, known }] of steps.entries()) {
    if (!isFullRun && at % 3 > 0) continue
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

test('a crash at each step of a start with a torn line loses no message', async () => {
  const running = await temporaryFolder()
  const store = await openStore(running)
  for (const id of ['m1', 'm2']) await accept(store, id)
  const folder = await copyFolder(running)
  const path = join(folder, firstJournal)
  const { length } = withoutPreallocation(await readFile(path))
  const file = await open(path, 'r+')
  await file.write('12345678 [4,["message","m3",{"text":"x', length)
  await file.close()
  const steps = await recordSteps(
    folder,
    () => undefined,
    async () => await (await openStore(folder)).close(),
  )
  expect(steps.map(step => step.name)).toContain(`within write of ${firstJournal}`)
  for (const { name, folder: copy } of steps) {
    const { damages } = await checkData(copy)
    expect(
      damages.filter(each => each.kind === 'damaged'),
      name,
    ).toEqual([])
    const found = await listMessages(await openStore(copy))
    expect(
      found.map(each => each.id),
      name,
    ).toEqual(['m1', 'm2'])
  }
})
