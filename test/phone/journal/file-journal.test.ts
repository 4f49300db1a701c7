import { chmod, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AttemptOutcome } from '../../../src/phone/driver-port/attempt-outcome.js'
import { decodeJournal } from '../../../src/phone/journal/journal-format.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { message } from '../scripted-client.js'
import { copyAfterCrash, credentials, openJournal, readJournal } from './journal-rig.js'

const sent: AttemptOutcome = { result: 'sent', parts: 2 }
const failed: AttemptOutcome = { result: 'failed', error: 'no signal' }
const a = { id: 'a', key: 'key-a' }

describe('after a crash', () => {
  it('an unreported outcome is there under its key', async () => {
    const directory = await temporaryFolder()
    const journal = (await openJournal(directory)).attempts
    await journal.begin(message('a'), 'key-a')
    await journal.record(a, sent)
    const again = (await openJournal(await copyAfterCrash(directory))).attempts
    expect(again.unreported()).toEqual([{ ...a, outcome: sent }])
    expect(await again.begin(message('a'), 'new')).toEqual({ ...a, outcome: sent })
  })

  it('an attempt without an end has the outcome unknown until it is reported', async () => {
    const directory = await temporaryFolder()
    await (await openJournal(directory)).attempts.begin(message('a'), 'key-a')
    const again = await openJournal(await copyAfterCrash(directory))
    const error = expect.any(String)
    const expected = [{ ...a, outcome: { result: 'unknown', error } }]
    expect(again.attempts.unreported()).toEqual(expected)
    await again[Symbol.asyncDispose]()
    const later = (await openJournal(await copyAfterCrash(directory))).attempts
    expect(later.unreported()).toEqual(expected)
    await later.settle(a)
    expect(later.unreported()).toEqual([])
    expect(await later.begin(message('a'), 'new')).toBeUndefined()
  })

  it('a canceled attempt is forgotten', async () => {
    const directory = await temporaryFolder()
    const journal = (await openJournal(directory)).attempts
    await journal.begin(message('a'), 'key-a')
    await journal.cancel(a)
    expect((await openJournal(await copyAfterCrash(directory))).attempts.unreported()).toEqual([])
  })

  it('a sent and reported message is not sent again', async () => {
    const directory = await temporaryFolder()
    const journal = (await openJournal(directory)).attempts
    await journal.begin(message('a'), 'key-a')
    await journal.record(a, sent)
    await journal.settle(a)
    const again = (await openJournal(await copyAfterCrash(directory))).attempts
    expect(again.unreported()).toEqual([])
    expect(await again.begin(message('a'), 'new')).toEqual({ ...a, outcome: sent })
    expect(await again.begin(message('a', { message: 'Edited' }), 'new')).toBeUndefined()
  })

  it('all open attempts have outcomes after a crash', async () => {
    const directory = await temporaryFolder()
    const journal = await openJournal(directory)
    await Promise.all(['a', 'b'].map(id => journal.attempts.begin(message(id), `key-${id}`)))
    const again = await openJournal(await copyAfterCrash(directory))
    const unknown = { outcome: { result: 'unknown' } }
    expect(again.attempts.unreported()).toMatchObject([
      { id: 'a', ...unknown },
      { id: 'b', ...unknown },
    ])
  })
})

describe('the files', () => {
  it('have no text or number, and only this user may read them', async () => {
    const directory = join(await temporaryFolder(), 'new', 'journal')
    const journal = await openJournal(directory)
    await journal.attempts.begin(message('a'), 'key-a')
    await journal.attempts.record(a, sent)
    await journal.saveToken('srt_token')
    const content = (await readJournal(directory)).toString()
    expect(content).not.toContain('Hello there')
    expect(content).not.toContain('2025550123')
    expect(content).not.toContain(credentials.user)
    const modes = ['.', 'journal', 'token'].map(async name => {
      return (await stat(join(directory, name))).mode & 0o777
    })
    expect(await Promise.all(modes)).toEqual([0o700, 0o600, 0o600])
  })

  it('are locked by one process', async () => {
    const directory = await temporaryFolder()
    await openJournal(directory)
    await expect(openJournal(directory)).rejects.toMatchObject({
      code: 'directory_in_use',
      message: expect.stringContaining(directory),
    })
  })

  it('are unlocked after the end, and after a failed start', async () => {
    const directory = await temporaryFolder()
    await writeFile(join(directory, 'journal'), 'nonsense\n')
    await expect(openJournal(directory)).rejects.toMatchObject({ code: 'damaged_data' })
    await rm(join(directory, 'journal'))
    await (await openJournal(directory))[Symbol.asyncDispose]()
    expect((await readdir(directory)).sort()).toEqual(['journal', 'receipts', 'received'])
    await openJournal(directory)
  })

  it('are rewritten when they have grown', async () => {
    const directory = await temporaryFolder()
    const journal = await openJournal(directory, { maxRemembered: 5, compactAfter: 1000 })
    const worker = journal.attempts
    let largest = 0
    for (let n = 0; n < 100; n += 1) {
      await worker.begin(message(`m${n}`), `k${n}`)
      await worker.record({ id: `m${n}`, key: `k${n}` }, n % 3 === 0 ? failed : sent)
      if (n !== 50) await worker.settle({ id: `m${n}`, key: `k${n}` })
      largest = Math.max(largest, (await readJournal(directory)).length)
    }
    expect(largest).toBeLessThan(4000)
    const again = (await openJournal(await copyAfterCrash(directory), { maxRemembered: 5 }))
      .attempts
    expect(again.unreported()).toMatchObject([{ id: 'm50' }])
    expect(await again.begin(message('m98'), 'new')).toMatchObject({ key: 'k98' })
    expect(await again.begin(message('m10'), 'new')).toBeUndefined()
    expect(await readdir(directory)).not.toContain('journal.tmp')
  })

  it('that cannot be used are an error of the configuration', async () => {
    const path = join(await temporaryFolder(), 'file')
    await writeFile(path, '')
    await expect(openJournal(path)).rejects.toMatchObject({ code: 'configuration' })
    await expect(openJournal(join(path, 'x'.repeat(100)))).rejects.toMatchObject({
      code: 'configuration',
    })
  })
})

describe('a failing disk', () => {
  it('gets the records that it missed when it works again', async () => {
    const directory = join(await temporaryFolder(), 'journal')
    const journal = await openJournal(directory)
    await journal.attempts.begin(message('a'), 'key-a')
    await journal[Symbol.asyncDispose]()
    const again = (await openJournal(directory)).attempts
    await rename(directory, `${directory} away`)
    await again.settle(a)
    await rename(`${directory} away`, directory)
    await again.begin(message('b'), 'key-b')
    const open = decodeJournal('journal', await readJournal(directory)).history.listOpen()
    expect([...open].map(each => each.id)).toEqual(['b'])
  })

  it('prevents new attempts, and no outcome is lost', async () => {
    const directory = join(await temporaryFolder(), 'journal')
    // The file is rewritten after each record, so that the next one opens it.
    const journal = await openJournal(directory, { compactAfter: 1 })
    const worker = journal.attempts
    await worker.begin(message('a'), 'key-a')
    await worker.begin(message('b'), 'key-b')
    await rename(directory, `${directory} away`)
    await worker.record(a, sent)
    await worker.record({ id: 'b', key: 'key-b' }, failed)
    await expect(worker.begin(message('c'), 'key-c')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(join(directory, 'journal')),
    })
    expect(journal.warnings).toEqual([expect.stringContaining('ENOENT')])
    expect(worker.unreported()).toHaveLength(2)
    await rename(`${directory} away`, directory)
    expect(await worker.begin(message('c'), 'new-c')).toBeUndefined()
    const again = (await openJournal(await copyAfterCrash(directory))).attempts
    expect(again.unreported()).toMatchObject([
      { id: 'a', outcome: sent },
      { id: 'b', outcome: failed },
      { id: 'c', key: 'new-c' },
    ])
  })
})

describe('another account', () => {
  const other = { credentials: { user: 'other', password: 'app' } }

  it('does not get a journal with unreported outcomes', async () => {
    const directory = await temporaryFolder()
    const journal = await openJournal(directory)
    await journal.attempts.begin(message('a'), 'key-a')
    await journal[Symbol.asyncDispose]()
    await expect(openJournal(directory, other)).rejects.toMatchObject({ code: 'configuration' })
    expect((await openJournal(directory)).attempts.unreported()).toHaveLength(1)
  })

  it('replaces a journal without them', async () => {
    const directory = await temporaryFolder()
    const journal = await openJournal(directory)
    await journal.attempts.begin(message('a'), 'key-a')
    await journal.attempts.record(a, sent)
    await journal.attempts.settle(a)
    await journal.saveToken('srt_token')
    await journal[Symbol.asyncDispose]()
    const theirs = await openJournal(directory, other)
    expect(await theirs.readToken()).toBeUndefined()
    expect(await theirs.attempts.begin(message('a'), 'new')).toBeUndefined()
  })
})

it('a journal that cannot be created is an error that names it', async () => {
  const directory = await temporaryFolder()
  await mkdir(join(directory, 'journal.tmp'))
  await expect(openJournal(directory)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining(join(directory, 'journal')),
  })
})

it.skipIf(process.getuid?.() === 0)('a directory of another user is an error', async () => {
  const directory = await temporaryFolder()
  await chmod(directory, 0o500)
  await expect(openJournal(directory)).rejects.toMatchObject({ code: 'configuration' })
})
