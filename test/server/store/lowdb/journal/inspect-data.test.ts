import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isRelayError } from '../../../../../src/errors.js'
import { JournalFile } from '../../../../../src/server/store/lowdb/files/journal-file.js'
import { writeManifest } from '../../../../../src/server/store/lowdb/files/manifest.js'
import { backupData } from '../../../../../src/server/store/lowdb/journal/data-tools.js'
import { inspectData } from '../../../../../src/server/store/lowdb/journal/inspect-data.js'
import type { Entry } from '../../../../../src/server/store/lowdb/records/collections.js'
import { encodeChecksumLine } from '../../../../../src/util/files/checksum-line.js'
import { temporaryFolder } from '../../../../temporary-folder.js'
import { scale } from '../../../../tier.js'
import { accept, messageWith } from '../../rig.js'
import { firstJournal, openStore } from '../lowdb-rig.js'

const text = 'x'.repeat(300)
const header = encodeChecksumLine({ smsrelay: 'journal', format: 3, first: 1 })
const created = encodeChecksumLine([1, ['message', 'm1', messageWith('m1', { text })]])
const locked = encodeChecksumLine([2, ['message', 'm1', { status: 'L', statusAt: 5 }, 'patch']])
/** The lines after the first `count` ones. */
const listOthers = (count: number) =>
  ['m2', 'm3'].map((id, at) =>
    encodeChecksumLine([count + at + 1, ['message', id, messageWith(id, { text })]]),
  )
const preallocation = '\n'.repeat(1500)

/** The manifest names the header of the journal. */
async function writeOpenJournal(folder: string, bytes: string | Buffer): Promise<void> {
  await writeFile(join(folder, firstJournal), bytes)
  const checksum = header.slice(0, 8)
  const entry = { name: firstJournal, first: 1, last: 0, length: header.length, checksum }
  await writeManifest(folder, { journals: [{ ...entry, open: true }] })
}

test('a journal that grows is never reported as damaged, nor is a copy of it', async () => {
  const folder = await temporaryFolder()
  const journal = await JournalFile.create(folder, 1, 1)
  await writeManifest(folder, { journals: [{ ...journal.entry, open: true }] })
  const entry: Entry = ['message', 'm1', messageWith('m1', { text: text.repeat(90) })]
  let isWriting = true
  const written = (async () => {
    while (isWriting) await journal.append([entry])
    await journal.close({ isInManifest: false })
  })()
  const kinds: string[] = []
  for (let round = 0; round < 12; round += 1) {
    const copy = await temporaryFolder()
    await backupData(folder, copy)
    for (const each of [folder, copy]) {
      kinds.push(...(await inspectData(each)).damages.map(({ kind }) => kind))
    }
    await rm(copy, { recursive: true })
  }
  isWriting = false
  await written
  expect(kinds).not.toContain('damaged')
  expect(journal.length).toBeGreaterThan(12 * JSON.stringify(entry).length)
})

test('a store that compacts again and again is never reported as damaged', async () => {
  const folder = await temporaryFolder()
  const store = await openStore(folder, { compactAbove: 3000 })
  let [isWriting, written, read] = [true, 0, 0]
  const writing = (async () => {
    for (; isWriting; written += 1) await accept(store, `m${written % 20}-${written}`, { text })
  })()
  const snapshots = new Set<string>()
  while (snapshots.size < 5) {
    const atLeast = written
    const { damages, data, files } = await inspectData(folder)
    expect(damages.filter(each => each.kind === 'damaged')).toEqual([])
    expect(data.message.size).toBeGreaterThanOrEqual(atLeast)
    snapshots.add(files.snapshot?.path ?? '')
    const copy = await temporaryFolder()
    await backupData(folder, copy)
    expect((await inspectData(copy)).damages).toEqual([])
    await rm(copy, { recursive: true })
    read += 1
  }
  isWriting = false
  await writing
  expect(read).toBeGreaterThan(4)
})

test('exactly the damage that is reported prevents a start, for any bytes', async () => {
  const whole = Buffer.from(header + created + locked + listOthers(2).join('') + preallocation)
  const written = whole.length - preallocation.length
  const change = fc.record({
    at: fc.nat(written + 600),
    length: fc.constantFrom(1, 1, 2, 40, 512, 1200),
    byte: fc.constantFrom(10, 10, 0, 0x5a),
    aligned: fc.boolean(),
  })
  const changes = fc.array(change, { minLength: 1, maxLength: 3 })
  const results = new Set<string>()
  const property = fc.asyncProperty(changes, fc.option(fc.nat(written)), async (list, cut) => {
    const bytes = Buffer.from(whole)
    for (const { at, length, byte, aligned } of list) {
      const from = aligned ? at - (at % 512) : at
      bytes.fill(byte, from, Math.min(from + length, bytes.length))
    }
    const folder = await temporaryFolder()
    await writeOpenJournal(folder, cut === null ? bytes : bytes.subarray(0, whole.length - cut))
    const { damages } = await inspectData(folder)
    const kinds = new Set(damages.map(({ kind }) => kind))
    const warnings: string[] = []
    const starts = await openStore(folder, { warn: sentence => warnings.push(sentence) }).then(
      () => (warnings.length > 0 ? 'torn' : 'whole'),
      error => (isRelayError(error, 'damaged_data') ? 'damaged' : error),
    )
    const checked = kinds.has('damaged') ? 'damaged' : kinds.has('torn') ? 'torn' : 'whole'
    expect(starts).toBe(checked)
    results.add(checked)
  })
  await fc.assert(property, { seed: 77, numRuns: scale(300) })
  expect([...results].sort()).toEqual(['damaged', 'torn', 'whole'])
})
