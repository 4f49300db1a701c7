import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { JournalFile } from '../../../../src/server/store/lowdb/files/journal-file.js'
import type { Store } from '../../../../src/server/store/store.js'
import { temporaryFolder } from '../../../temporary-folder.js'
import { accept, addUp, fill, listEvents, listMessages, next, start } from '../rig.js'
import { canLimitFiles, limitFiles } from './file-size-limit.js'
import { firstJournal, openCopy, openStore, readFiles, withoutPreallocation } from './lowdb-rig.js'
import { changes, expired, readAll } from './store-changes.js'

const ids = async (store: Store) => (await listMessages(store)).map(message => message.id)

/** Opens a filled store, with functions to limit the size of its journal. */
async function openFilled() {
  const folder = await temporaryFolder()
  const warnings: string[] = []
  const store = await openStore(folder, { warn: sentence => warnings.push(sentence) })
  await fill(store)
  const path = join(folder, firstJournal)
  return {
    folder,
    store,
    warnings,
    limitTo: async (bytes: number) =>
      limitFiles(withoutPreallocation(await readFile(path)).length + bytes),
    unlimit: () => limitFiles('unlimited'),
  }
}

describe.skipIf(!canLimitFiles)('on a full disk', () => {
  afterEach(() => limitFiles('unlimited'))

  test.each(Object.keys(changes))('%s is rejected without an effect', async name => {
    const { folder, store, limitTo, unlimit } = await openFilled()
    const change = changes[name] as (store: Store) => Promise<unknown>
    const before = await readAll(store)
    const files = await readFiles(folder)
    for (const bytes of [0, 1, 20]) {
      await limitTo(bytes)
      await expect(change(store)).rejects.toMatchObject({ code: 'unavailable' })
      expect(await readAll(store)).toEqual(before)
      unlimit()
      expect(await readFiles(folder)).toEqual(files)
    }
    expect(await readAll(await openCopy(folder))).toEqual(before)
    expect(await next(store, 'other')).toBe('m4')
    expect(await next(store, 'phone')).toBe('m1')
  })

  test('one warning reports a failure, and one its end', async () => {
    const { folder, store, warnings, limitTo, unlimit } = await openFilled()
    await limitTo(10)
    for (const id of ['m8', 'm9']) {
      await expect(accept(store, id)).rejects.toMatchObject({ code: 'unavailable' })
    }
    expect(warnings).toEqual([expect.stringContaining(`${folder} cannot be written (EFBIG)`)])
    unlimit()
    await accept(store, 'm8')
    await accept(store, 'm9')
    expect(warnings.slice(1)).toEqual([expect.stringContaining(folder)])
  })

  test('expired records are deleted when there is space again', async () => {
    const { store, limitTo, unlimit } = await openFilled()
    const purge = async () => [
      await addUp(store.messages.purge(expired)),
      await addUp(store.events.purge(expired.before, 1e9)),
    ]
    await limitTo(0)
    await expect(purge()).rejects.toMatchObject({ code: 'unavailable' })
    await expect(addUp(store.events.purge(expired.before, 1e9))).rejects.toThrow()
    unlimit()
    expect(await purge()).toEqual([1, 6])
  })

  test('messages are examined again where their deletion failed', async () => {
    const folder = await temporaryFolder()
    const store = await openStore(folder, { now: () => start + 2e9 })
    await fill(store)
    limitFiles(withoutPreallocation(await readFile(join(folder, firstJournal))).length)
    await expect(addUp(store.messages.purge(expired))).rejects.toThrow()
    limitFiles('unlimited')
    expect(await addUp(store.messages.purge(expired))).toBe(1)
  })

  test('all changes of a turn are rejected together with those behind them', async () => {
    const { store, limitTo } = await openFilled()
    const before = await readAll(store)
    await limitTo(100)
    const first = [accept(store, 'm6'), accept(store, 'm7'), next(store, 'q')]
    await new Promise(resolve => setImmediate(resolve))
    const second = [
      accept(store, 'm8'),
      store.messages.change('a', 'm6', () => ({ message: null })),
    ]
    const answers = await Promise.allSettled([...first, ...second])
    expect(answers.map(answer => answer.status)).toEqual(Array(5).fill('rejected'))
    expect(await readAll(store)).toEqual(before)
  })

  test('reads that wait for a rejected change return the state before it', async () => {
    const { store, limitTo } = await openFilled()
    await limitTo(0)
    const rejected = accept(store, 'm9').catch((error: { code: string }) => error.code)
    const reads = [store.messages.get('a', 'm9'), ids(store), listEvents(store)]
    expect(await Promise.all(reads)).toEqual([
      undefined,
      ['m1', 'm3', 'm4'],
      expect.objectContaining({ length: 4 }),
    ])
    expect(await rejected).toBe('unavailable')
  })

  test('a journal whose creation fails leaves no file', async () => {
    const folder = await temporaryFolder()
    limitFiles(10)
    await expect(JournalFile.create(folder, 1, 1)).rejects.toMatchObject({ code: 'EFBIG' })
    limitFiles('unlimited')
    const journal = await JournalFile.create(folder, 1, 1)
    await journal.close({ isInManifest: true })
    expect((await stat(join(folder, firstJournal))).size).toBe(journal.length)
  })

  test('a change that saw a rejected one is rejected, too', async () => {
    const { store, limitTo } = await openFilled()
    await limitTo(0)
    const rejected = [
      store.messages.change('a', 'm1', () => ({ message: null })),
      store.messages.change('a', 'm1', message => {
        if (message === undefined) throw new Error('It is gone.')
        return {}
      }),
      store.messages.change('a', 'm1', () => ({})),
      next(store, 'phone', start - 1),
    ]
    const codes = await Promise.allSettled(rejected)
    for (const answer of codes) {
      expect(answer).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } })
    }
  })
})
