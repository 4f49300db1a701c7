import { chmod, mkdir, readdir, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AttemptOutcome } from '../../../src/phone/driver-port/attempt-outcome.js'
import { decodeJournal } from '../../../src/phone/journal/journal-format.js'
import { encodeChecksumLine } from '../../../src/util/files/checksum-line.js'
import { message } from '../scripted-client.js'
import { bytesOf, crashed, credentials, folder, openJournal } from './journal-rig.js'

const sent: AttemptOutcome = { result: 'sent', parts: 2 }
const failed: AttemptOutcome = { result: 'failed', error: 'no signal' }
const a = { id: 'a', key: 'key-a' }

describe('after a crash', () => {
  it('an outcome that was not reported is there, under its key', async () => {
    const directory = await folder()
    const journal = (await openJournal(directory)).worker(0)
    await journal.begin(message('a'), 'key-a')
    await journal.record(a, sent)
    const again = (await openJournal(await crashed(directory))).worker(0)
    expect(again.unreported()).toEqual([{ ...a, outcome: sent }])
    expect(await again.begin(message('a'), 'new')).toEqual({ ...a, outcome: sent })
  })

  it('an attempt without an end is unknown, and stays so until it is reported', async () => {
    const directory = await folder()
    await (await openJournal(directory)).worker(0).begin(message('a'), 'key-a')
    const again = await openJournal(await crashed(directory))
    const error = expect.stringContaining('not known whether it was sent')
    const left = [{ ...a, outcome: { result: 'unknown', error } }]
    expect(again.worker(0).unreported()).toEqual(left)
    await again[Symbol.asyncDispose]()
    const later = (await openJournal(await crashed(directory))).worker(0)
    expect(later.unreported()).toEqual(left)
    await later.settle(a)
    expect(later.unreported()).toEqual([])
    expect(await later.begin(message('a'), 'new')).toBeUndefined()
  })

  it('an attempt that did not take place is gone', async () => {
    const directory = await folder()
    const journal = (await openJournal(directory)).worker(0)
    await journal.begin(message('a'), 'key-a')
    await journal.cancel(a)
    expect((await openJournal(await crashed(directory))).workersWithUnreported()).toEqual([])
  })

  it('a message that was sent and reported is not sent again', async () => {
    const directory = await folder()
    const journal = (await openJournal(directory)).worker(0)
    await journal.begin(message('a'), 'key-a')
    await journal.record(a, sent)
    await journal.settle(a)
    const again = (await openJournal(await crashed(directory))).worker(0)
    expect(again.unreported()).toEqual([])
    expect(await again.begin(message('a'), 'new')).toEqual({ ...a, outcome: sent })
    expect(await again.begin(message('a', { message: 'Edited' }), 'new')).toBeUndefined()
  })

  it('each loop has what it left itself', async () => {
    const directory = await folder()
    const journal = await openJournal(directory)
    await journal.worker(1).begin(message('a'), 'key-a')
    await journal.worker(5).begin(message('b'), 'key-b')
    const again = await openJournal(await crashed(directory))
    expect(again.workersWithUnreported()).toEqual([1, 5])
    expect([0, 1, 5].map(worker => again.worker(worker).unreported().length)).toEqual([0, 1, 1])
  })
})

describe('the files', () => {
  it('hold no text, and are for this user alone', async () => {
    const directory = join(await folder(), 'new', 'journal')
    const journal = await openJournal(directory)
    await journal.worker(0).begin(message('a'), 'key-a')
    await journal.worker(0).record(a, sent)
    await journal.saveToken(0, 'srt_token')
    const content = (await bytesOf(directory)).toString()
    expect(content).not.toContain('Hello there')
    expect(content).not.toContain('2025550123')
    expect(content).not.toContain(credentials.user)
    const modes = ['.', 'journal', 'token-0'].map(async name => {
      return (await stat(join(directory, name))).mode & 0o777
    })
    expect(await Promise.all(modes)).toEqual([0o700, 0o600, 0o600])
  })

  it('are for one process', async () => {
    const directory = await folder()
    await openJournal(directory)
    await expect(openJournal(directory)).rejects.toMatchObject({
      code: 'directory_in_use',
      message: expect.stringContaining(directory),
      hint: expect.stringContaining('--journal'),
    })
  })

  it('are free again after the end, and after a start that failed', async () => {
    const directory = await folder()
    await writeFile(join(directory, 'journal'), 'nonsense\n')
    await expect(openJournal(directory)).rejects.toMatchObject({ code: 'damaged_data' })
    await rm(join(directory, 'journal'))
    await (await openJournal(directory))[Symbol.asyncDispose]()
    expect((await readdir(directory)).sort()).toEqual(['journal', 'received'])
    await openJournal(directory)
  })

  it('stay small', async () => {
    const directory = await folder()
    const journal = await openJournal(directory, { maxRemembered: 5, compactAfter: 1000 })
    const worker = journal.worker(0)
    let largest = 0
    for (let n = 0; n < 100; n += 1) {
      await worker.begin(message(`m${n}`), `k${n}`)
      await worker.record({ id: `m${n}`, key: `k${n}` }, n % 3 === 0 ? failed : sent)
      if (n !== 50) await worker.settle({ id: `m${n}`, key: `k${n}` })
      largest = Math.max(largest, (await bytesOf(directory)).length)
    }
    expect(largest).toBeLessThan(4000)
    const again = (await openJournal(await crashed(directory), { maxRemembered: 5 })).worker(0)
    expect(again.unreported()).toMatchObject([{ id: 'm50' }])
    expect(await again.begin(message('m98'), 'new')).toMatchObject({ key: 'k98' })
    expect(await again.begin(message('m10'), 'new')).toBeUndefined()
    expect(await readdir(directory)).not.toContain('journal.tmp')
  })

  it('that cannot be used are told with the way out', async () => {
    const path = join(await folder(), 'file')
    await writeFile(path, '')
    await expect(openJournal(path)).rejects.toMatchObject({
      code: 'configuration',
      hint: expect.stringContaining('--no-journal'),
    })
    await expect(openJournal(join(path, 'x'.repeat(100)))).rejects.toMatchObject({
      code: 'configuration',
    })
  })
})

describe('an end that was cut short', () => {
  it('is cut off, and said so', async () => {
    const directory = await folder()
    const journal = (await openJournal(directory)).worker(0)
    await journal.begin(message('a'), 'key-a')
    const whole = (await bytesOf(directory)).length
    await journal.record(a, sent)
    const copy = await crashed(directory)
    await truncate(join(copy, 'journal'), whole + 12)
    const again = await openJournal(copy)
    expect(again.warnings).toEqual([expect.stringMatching(/journal .*\b12 bytes/)])
    expect(again.worker(0).unreported()).toMatchObject([{ outcome: { result: 'unknown' } }])
    await again.worker(0).settle(a)
    await again[Symbol.asyncDispose]()
    expect((await openJournal(copy)).warnings).toEqual([])
  })

  it('that a power cut left in any order is cut off too', async () => {
    const directory = await folder()
    const journal = (await openJournal(directory)).worker(0)
    await journal.begin(message('a'), 'key-a')
    await journal.record(a, sent)
    const synced = (await bytesOf(directory)).length
    await journal.settle(a)
    const settled = (await bytesOf(directory)).length
    await journal.begin(message('b'), 'key-b')
    // The line that was not synced is lost, the one after it is on the disk.
    const bytes = await bytesOf(directory)
    bytes.fill(0, synced, settled)
    expect(decodeJournal('journal', bytes)).toMatchObject({ length: synced })
    // Had the first been on the disk once, it is damage.
    bytes.fill(0, synced - 20, synced)
    expect(() => decodeJournal('journal', bytes)).toThrow('journal is damaged at line 3.')
  })
})

describe('a disk that fails', () => {
  it('keeps what could not be noted for when it works again', async () => {
    const directory = join(await folder(), 'journal')
    const journal = await openJournal(directory)
    await journal.worker(0).begin(message('a'), 'key-a')
    await journal[Symbol.asyncDispose]()
    const again = (await openJournal(directory)).worker(0)
    await rename(directory, `${directory} away`)
    await again.settle(a)
    await rename(`${directory} away`, directory)
    await again.begin(message('b'), 'key-b')
    const open = decodeJournal('journal', await bytesOf(directory)).history.listOpen()
    expect([...open].map(each => each.id)).toEqual(['b'])
  })

  it('lets no attempt begin, and loses nothing that is known', async () => {
    const directory = join(await folder(), 'journal')
    // Written anew after each note, so that the next one has to open the file.
    const journal = await openJournal(directory, { compactAfter: 1 })
    const worker = journal.worker(0)
    await worker.begin(message('a'), 'key-a')
    await worker.begin(message('b'), 'key-b')
    await rename(directory, `${directory} away`)
    await worker.record(a, sent)
    await worker.record({ id: 'b', key: 'key-b' }, failed)
    await expect(worker.begin(message('c'), 'key-c')).rejects.toMatchObject({
      code: 'unavailable',
      message: `${join(directory, 'journal')} cannot be written (ENOENT).`,
    })
    expect(journal.warnings).toEqual([expect.stringContaining('cannot be written (ENOENT)')])
    expect(worker.unreported()).toHaveLength(2)
    await rename(`${directory} away`, directory)
    expect(await worker.begin(message('c'), 'new-c')).toBeUndefined()
    const again = (await openJournal(await crashed(directory))).worker(0)
    expect(again.unreported()).toMatchObject([
      { id: 'a', outcome: sent },
      { id: 'b', outcome: failed },
      { id: 'c', key: 'new-c' },
    ])
  })
})

describe('damage', () => {
  it.each([0, 1, 2])('of line %# that was on the disk stops the start', async line => {
    const directory = await folder()
    const journal = (await openJournal(directory)).worker(0)
    await journal.begin(message('a'), 'key-a')
    await journal.record(a, sent)
    await journal.begin(message('b'), 'key-b')
    const copy = await crashed(directory)
    const lines = (await bytesOf(copy)).toString().split('\n')
    lines[line] = (lines[line] ?? '').replace(/.$/, '?')
    await writeFile(join(copy, 'journal'), lines.join('\n'))
    await expect(openJournal(copy)).rejects.toMatchObject({
      code: 'damaged_data',
      message: `${join(copy, 'journal')} is damaged at line ${line + 1}.`,
    })
  })

  it('of what was written anew stops the start even at the end', async () => {
    const directory = await folder()
    const journal = await openJournal(directory, { compactAfter: 1 })
    await journal.worker(0).begin(message('a'), 'key-a')
    await journal[Symbol.asyncDispose]()
    const bytes = await bytesOf(directory)
    expect(bytes.toString().split('\n')).toHaveLength(3)
    expect(() => decodeJournal('journal', bytes.subarray(0, -1))).toThrow('line 2')
    const header = bytes.subarray(0, bytes.indexOf(10) + 1)
    expect(() => decodeJournal('journal', header)).toThrow('line 2')
  })

  it('a journal of a newer version is refused', async () => {
    const directory = await folder()
    const header = { smsrelay: 'phone', format: 2, owner: '', lines: 1 }
    await writeFile(join(directory, 'journal'), encodeChecksumLine(header))
    await expect(openJournal(directory)).rejects.toMatchObject({ code: 'configuration' })
  })
})

describe('another account', () => {
  const other = { credentials: { user: 'other', password: 'app' } }

  it('does not get the journal while it holds something to report', async () => {
    const directory = await folder()
    const journal = await openJournal(directory)
    await journal.worker(0).begin(message('a'), 'key-a')
    await journal[Symbol.asyncDispose]()
    await expect(openJournal(directory, other)).rejects.toMatchObject({ code: 'configuration' })
    expect((await openJournal(directory)).workersWithUnreported()).toEqual([0])
  })

  it('begins anew otherwise', async () => {
    const directory = await folder()
    const journal = await openJournal(directory)
    await journal.worker(0).begin(message('a'), 'key-a')
    await journal.worker(0).record(a, sent)
    await journal.worker(0).settle(a)
    await journal.saveToken(0, 'srt_token')
    await journal[Symbol.asyncDispose]()
    const theirs = await openJournal(directory, other)
    expect(await theirs.readToken(0)).toBeUndefined()
    expect(await theirs.worker(0).begin(message('a'), 'new')).toBeUndefined()
  })
})

describe('a token', () => {
  it('is kept for each loop, as long as the keys are the same', async () => {
    const directory = await folder()
    const journal = await openJournal(directory)
    await journal.saveToken(0, 'zero')
    await journal.saveToken(1, 'one')
    await journal.saveToken(1, 'another')
    await journal[Symbol.asyncDispose]()
    const again = await openJournal(directory)
    expect(await Promise.all([0, 1, 2].map(again.readToken))).toEqual([
      'zero',
      'another',
      undefined,
    ])
    await again[Symbol.asyncDispose]()
    const changed = { credentials: { ...credentials, password: 'new key' } }
    expect(await (await openJournal(directory, changed)).readToken(0)).toBeUndefined()
  })

  it('that cannot be read whole does not count', async () => {
    const directory = await folder()
    const journal = await openJournal(directory)
    await journal.saveToken(0, 'zero')
    await truncate(join(directory, 'token-0'), 20)
    expect(await journal.readToken(0)).toBeUndefined()
  })

  it('that cannot be kept is told', async () => {
    const directory = await folder()
    const journal = await openJournal(directory)
    await mkdir(join(directory, 'token-0.tmp'))
    await journal.saveToken(0, 'zero')
    expect(journal.warnings).toEqual([expect.stringContaining(join(directory, 'token-0'))])
  })
})

it('a journal that cannot be begun is told in a sentence', async () => {
  const directory = await folder()
  await mkdir(join(directory, 'journal.tmp'))
  await expect(openJournal(directory)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/journal cannot be written \(/),
  })
})

it.skipIf(process.getuid?.() === 0)('a directory of somebody else is told', async () => {
  const directory = await folder()
  await chmod(directory, 0o500)
  await expect(openJournal(directory)).rejects.toMatchObject({ code: 'configuration' })
})
