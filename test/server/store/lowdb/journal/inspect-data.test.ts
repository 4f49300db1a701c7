import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isRelayError } from '../../../../../src/errors.js'
import {
  createJournal,
  readDataFile,
} from '../../../../../src/server/store/lowdb/journal/data-file-format.js'
import { backupData } from '../../../../../src/server/store/lowdb/journal/data-tools.js'
import { inspectData } from '../../../../../src/server/store/lowdb/journal/inspect-data.js'
import {
  encodeChecksumBytes,
  encodeChecksumLine,
} from '../../../../../src/util/files/checksum-line.js'
import { temporaryFolder } from '../../../../temporary-folder.js'
import { messageWith } from '../../rig.js'

const text = 'x'.repeat(300)
const header = encodeChecksumLine({ smsrelay: 'journal', format: 1 })
const created = encodeChecksumLine([['message', 'm1', messageWith('m1', { text })]])
const locked = encodeChecksumLine([['message', 'm1', { status: 'L', statusAt: 5 }, 'patch']])
const others = ['m2', 'm3'].map(id =>
  encodeChecksumLine([['message', id, messageWith(id, { text })]]),
)
const preallocation = '\n'.repeat(1500)

async function inspect(bytes: string | Buffer) {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'journal-000001.ndjson'), bytes)
  const { files, damages, data } = await inspectData(folder)
  return {
    lines: files[0]?.lines,
    damages: damages.map(({ kind, line, bytes: size }) => ({ kind, line, bytes: size })),
    messages: [...data.message.values()],
  }
}

test('preallocated bytes are neither a line nor damage', async () => {
  expect(await inspect(header + created + locked + preallocation)).toEqual({
    lines: 3,
    damages: [],
    messages: [messageWith('m1', { text, status: 'L', statusAt: 5 })],
  })
})

test('an incomplete line before preallocated bytes is torn', async () => {
  const part = others[0]?.slice(0, 100) ?? ''
  expect(await inspect(header + created + part + preallocation)).toMatchObject({
    lines: 3,
    damages: [{ kind: 'torn', line: 3, bytes: 100 }],
    messages: [{ id: 'm1' }],
  })
})

test('a line with a missing sector is torn, and is one line', async () => {
  const bytes = Buffer.from(header + created + others.join('').replace('\n', ' ') + preallocation)
  bytes.fill(10, 1024, 1536)
  const from = header.length + Buffer.byteLength(created)
  const end = bytes.findLastIndex(byte => byte !== 10) + 1
  expect(from).toBeLessThan(1024)
  expect(end).toBeGreaterThan(1536)
  expect(await inspect(bytes)).toMatchObject({
    damages: [{ kind: 'torn', line: 3, bytes: end - from }],
    messages: [{ id: 'm1' }],
  })
})

test('empty lines before a whole one are damage', async () => {
  expect(
    await inspect(`${header}${created}\n\n\n${others.join('')}${preallocation}`),
  ).toMatchObject({
    lines: 7,
    damages: [{ kind: 'damaged', line: 3, bytes: 0 }],
    messages: [{ id: 'm1' }, { id: 'm2' }, { id: 'm3' }],
  })
})

test('changed fields of a lost record are ignored, and nothing else is', async () => {
  const broken = created.replace('x', 'y')
  expect(await inspect(header + broken + locked + others.join(''))).toMatchObject({
    damages: [{ kind: 'damaged', line: 2 }],
    messages: [{ id: 'm2' }, { id: 'm3' }],
  })
})

test('a journal that grows is never reported as damaged, nor is a copy of it', async () => {
  const folder = await temporaryFolder()
  const journal = await createJournal(join(folder, 'journal-000001.ndjson'))
  const line = encodeChecksumBytes([
    ['message', 'm1', messageWith('m1', { text: text.repeat(90) })],
  ])
  let isWriting = true
  const written = (async () => {
    while (isWriting) await journal.append(line)
    await journal.close()
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
  expect(journal.length).toBeGreaterThan(12 * line.length)
})

test('exactly the damage that is reported prevents a start, for any bytes', async () => {
  const whole = Buffer.from(header + created + locked + others.join('') + preallocation)
  const written = whole.length - preallocation.length
  const change = fc.record({
    at: fc.nat(written + 600),
    length: fc.constantFrom(1, 1, 2, 40, 512, 1200),
    byte: fc.constantFrom(10, 10, 0, 0x5a),
    aligned: fc.boolean(),
  })
  const changes = fc.array(change, { minLength: 1, maxLength: 3 })
  const folder = await temporaryFolder()
  const path = join(folder, 'journal-000001.ndjson')
  const results = new Set<string>()
  const property = fc.asyncProperty(changes, fc.option(fc.nat(written)), async (list, cut) => {
    const bytes = Buffer.from(whole)
    for (const { at, length, byte, aligned } of list) {
      const from = aligned ? at - (at % 512) : at
      bytes.fill(byte, from, Math.min(from + length, bytes.length))
    }
    await writeFile(path, cut === null ? bytes : bytes.subarray(0, whole.length - cut))
    const { damages } = await inspectData(folder)
    const kinds = new Set(damages.map(({ kind }) => kind))
    const starts = await readDataFile(path, { allowTornTail: true }, () => {}).then(
      ({ torn }) => (torn > 0 ? 'torn' : 'whole'),
      error => (isRelayError(error, 'damaged_data') ? 'damaged' : error),
    )
    const checked = kinds.has('damaged') ? 'damaged' : kinds.has('torn') ? 'torn' : 'whole'
    expect(starts).toBe(checked)
    results.add(checked)
  })
  await fc.assert(property, { seed: 77, numRuns: 600 })
  expect([...results].sort()).toEqual(['damaged', 'torn', 'whole'])
})
