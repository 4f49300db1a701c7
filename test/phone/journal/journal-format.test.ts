import { stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AttemptOutcome } from '../../../src/phone/driver-port/attempt-outcome.js'
import { decodeJournal } from '../../../src/phone/journal/journal-format.js'
import { encodeChecksumLine } from '../../../src/util/files/checksum-line.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { message } from '../scripted-client.js'
import { copyAfterCrash, openJournal, readJournal } from './journal-rig.js'

const sent: AttemptOutcome = { result: 'sent', parts: 2 }
const a = { id: 'a', key: 'key-a' }

describe('a torn tail', () => {
  it('is truncated with a warning', async () => {
    const directory = await temporaryFolder()
    const journal = (await openJournal(directory)).attempts
    await journal.begin(message('a'), 'key-a')
    const length = (await readJournal(directory)).length
    await journal.record(a, sent)
    const copy = await copyAfterCrash(directory)
    await truncate(join(copy, 'journal'), length + 12)
    const again = await openJournal(copy)
    expect(again.warnings).toEqual([expect.stringMatching(/journal .*\b12 bytes/)])
    expect(again.attempts.unreported()).toMatchObject([{ outcome: { result: 'unknown' } }])
    await again.attempts.settle(a)
    await again[Symbol.asyncDispose]()
    expect((await openJournal(copy)).warnings).toEqual([])
  })

  it('of lines that a power cut left in any order is truncated', async () => {
    const directory = await temporaryFolder()
    const journal = (await openJournal(directory)).attempts
    await journal.begin(message('a'), 'key-a')
    await journal.record(a, sent)
    const synced = (await readJournal(directory)).length
    await Promise.all([journal.settle(a), journal.begin(message('b'), 'key-b')])
    // Of two lines of one write, the first is lost; the one after it is on the disk.
    const bytes = await readJournal(directory)
    bytes.fill('\n', synced, bytes.indexOf('\n', synced) + 1)
    expect(decodeJournal('journal', bytes)).toMatchObject({ length: synced })
    // A line that had been synced is damaged.
    bytes.fill(0, synced - 20, synced)
    expect(() => decodeJournal('journal', bytes)).toThrow(/journal.* 3\./)
  })
})

it('a preallocation that a crash left behind the last line is no torn tail', async () => {
  const directory = await temporaryFolder()
  const journal = (await openJournal(directory)).attempts
  await journal.begin(message('a'), 'key-a')
  const copy = await copyAfterCrash(directory)
  const { length } = await readJournal(copy)
  expect((await stat(join(copy, 'journal'))).size).toBeGreaterThan(length)
  const again = await openJournal(copy)
  expect(again.warnings).toEqual([])
  await again.attempts.settle(a)
  await again[Symbol.asyncDispose]()
  expect((await stat(join(copy, 'journal'))).size).toBe((await readJournal(copy)).length)
})

describe('damage', () => {
  it.each([0, 1, 2])('of synced line %# is reported with file and line', async line => {
    const directory = await temporaryFolder()
    const journal = (await openJournal(directory)).attempts
    await journal.begin(message('a'), 'key-a')
    await journal.record(a, sent)
    await journal.begin(message('b'), 'key-b')
    const copy = await copyAfterCrash(directory)
    const lines = (await readJournal(copy)).toString().split('\n')
    lines[line] = (lines[line] ?? '').replace(/.$/, '?')
    await writeFile(join(copy, 'journal'), lines.join('\n'))
    await expect(openJournal(copy)).rejects.toMatchObject({
      code: 'damaged_data',
      message: expect.stringMatching(`${join(copy, 'journal')}.* ${line + 1}\\.`),
    })
  })

  it('at the end of a rewritten file is reported, too', async () => {
    const directory = await temporaryFolder()
    const journal = await openJournal(directory, { compactAfter: 1 })
    await journal.attempts.begin(message('a'), 'key-a')
    await journal[Symbol.asyncDispose]()
    const bytes = await readJournal(directory)
    expect(bytes.toString().split('\n')).toHaveLength(3)
    expect(() => decodeJournal('journal', bytes.subarray(0, -1))).toThrow(/ 2\./)
    const header = bytes.subarray(0, bytes.indexOf(10) + 1)
    expect(() => decodeJournal('journal', header)).toThrow(/ 2\./)
  })
})

it('a journal of a newer format is an error of the configuration', async () => {
  const directory = await temporaryFolder()
  const header = { smsrelay: 'phone', format: 2, owner: '', lines: 1 }
  await writeFile(join(directory, 'journal'), encodeChecksumLine(header))
  await expect(openJournal(directory)).rejects.toMatchObject({ code: 'configuration' })
})
