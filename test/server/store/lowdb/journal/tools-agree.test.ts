import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isRelayError } from '../../../../../src/errors.js'
import {
  backupData,
  checkData,
  exportData,
  repairData,
} from '../../../../../src/server/store/lowdb/journal/data-tools.js'
import { openLowdbStore } from '../../../../../src/server/store/lowdb/lowdb-store.js'
import { temporaryFolder } from '../../../../temporary-folder.js'
import { isFullRun } from '../../../../tier.js'
import { createDamager, createDirectories, type Files, writeFiles } from './random-damage.js'

const seed = 20_261_123
const rounds = isFullRun ? 100 : 30
const now = new Date(0)

/** Whether something refuses a directory as damaged. */
async function isRefused(use: () => Promise<unknown>): Promise<boolean> {
  try {
    await use()
    return false
  } catch (error) {
    if (isRelayError(error, 'damaged_data')) return true
    throw error
  }
}

async function exportLines(folder: string): Promise<string[]> {
  const lines: string[] = []
  for await (const each of exportData(folder)) lines.push(JSON.stringify(each))
  return lines
}

async function check(folder: string): Promise<{ damaged: boolean; records: object }> {
  const { damages, records } = await checkData(folder)
  return { damaged: damages.some(each => each.kind === 'damaged'), records }
}

/** The number of damaged, and of other, directories of which all tools had the same opinion. */
async function compareTools(states: readonly Files[]) {
  const parent = await temporaryFolder()
  const [folder, copy] = [join(parent, 'data'), join(parent, 'copy')]
  const damage = createDamager(seed)
  const found = { damaged: 0, other: 0 }
  for (let round = 0; round < rounds; round += 1) {
    const state = round % states.length
    const { name, label, changed } = damage(states[state] as Files)
    const context = `round ${round} of seed ${seed}: ${label}`
    await writeFiles(folder, states[state] as Files)
    await writeFile(join(folder, name), changed)
    const { damaged, records } = await check(folder)
    found[damaged ? 'damaged' : 'other'] += 1
    expect(await isRefused(() => exportLines(folder)), context).toBe(damaged)
    expect(await isRefused(() => backupData(folder, copy)), context).toBe(damaged)
    expect(existsSync(copy), context).toBe(!damaged)
    if (!damaged) expect(await exportLines(copy), context).toEqual(await exportLines(folder))
    const openAndClose = async () => await (await openLowdbStore(folder)).close()
    if (damaged) expect(await isRefused(openAndClose), context).toBe(true)
    const { movedTo, damages } = await repairData(folder, now)
    expect(movedTo !== undefined, context).toBe(damaged)
    expect(
      damages.some(each => each.kind === 'damaged'),
      context,
    ).toBe(damaged)
    expect(await check(folder), context).toEqual({ damaged: false, records })
    await openAndClose()
    await rm(parent, { recursive: true })
  }
  return found
}

test('start, check, export, backup and repair agree about random damage', async () => {
  const { crashed, closed } = await createDirectories()
  const { damaged, other } = await compareTools([crashed, closed])
  expect(damaged).toBeGreaterThan(rounds / 2)
  expect(other).toBeGreaterThan(0)
})
