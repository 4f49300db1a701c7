import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { BatchedLog, type BatchedLogOptions } from '../../../src/util/files/batched-log.js'
import { encodeChecksumLine } from '../../../src/util/files/checksum-line.js'
import { temporaryFolder } from '../../temporary-folder.js'

/** A log of words, one a line; `words` are those that count for a rewrite. */
async function createLog(options: Partial<BatchedLogOptions<string>> = {}) {
  const folder = await temporaryFolder()
  const path = join(folder, 'words')
  const words: string[] = []
  const warnings: string[] = []
  const log = new BatchedLog<string>({
    path,
    encodeAll: () => words.map(word => `${word}\n`),
    encode: word => `${word}\n`,
    warn: sentence => warnings.push(sentence),
    ...options,
  })
  onTestFinished(async () => {
    await log.close()
  })
  const read = async () => (await readFile(path, 'utf8')).split('\n').slice(0, -1)
  return { folder, path, log, words, warnings, read }
}

test('records are written in the order of the calls', async () => {
  const { log, read } = await createLog()
  await Promise.all([log.append('a'), log.appendWithRetry('b', false), log.append('c', false)])
  expect(await read()).toEqual(['a', 'b', 'c'])
})

test('records of one turn get the same number of synced bytes: one write', async () => {
  const { log, read } = await createLog({ encode: (word, synced) => `${word}${synced}\n` })
  await Promise.all(['a', 'b'].map(word => log.append(word)))
  await log.append('c')
  expect(await read()).toEqual(['a0', 'b0', 'c6'])
})

test('a missing file is created with all records that count', async () => {
  const { log, words, read } = await createLog()
  words.push('before')
  await log.append('a')
  expect(await read()).toEqual(['before', 'a'])
})

test('a long file is rewritten line by line', async () => {
  const { log, words, read } = await createLog()
  words.push(...Array.from({ length: 9 }, (_, number) => `${number}€`.repeat(50_000)), 'end')
  await log.rewrite()
  await log.append('a')
  expect(await read()).toEqual([...words, 'a'])
})

test('bytes behind the valid length are truncated', async () => {
  const { path, log, read } = await createLog({ length: 2 })
  await writeFile(path, 'a\ntor')
  await log.append('b')
  expect(await read()).toEqual(['a', 'b'])
})

test('a file that is shorter than the valid length is not extended', async () => {
  const { path, log, read } = await createLog({ length: 4 })
  await writeFile(path, 'a\n')
  await expect(log.append('b')).rejects.toMatchObject({ code: 'unavailable' })
  expect(await read()).toEqual(['a'])
})

test('a file is rewritten whenever it has grown by more than the limit', async () => {
  const { log, words, read } = await createLog({ rewriteAfter: 10 })
  words.push('all')
  const lengths: number[] = []
  for (const word of ['aaaa', 'bbbb', 'cccc', 'dddd', 'eeee']) {
    await log.append(word)
    await log.flush()
    lengths.push((await read()).length)
  }
  expect(lengths).toEqual([2, 1, 2, 3, 1])
  expect(await read()).toEqual(['all'])
})

test('a rewrite on request replaces the file', async () => {
  const { log, words, read } = await createLog()
  await log.append('a')
  words.push('b')
  await log.rewrite()
  await log.append('c')
  expect(await read()).toEqual(['b', 'c'])
})

test('after a failure, retried records go before the next, rejected ones do not', async () => {
  const { folder, log, warnings, read } = await createLog()
  await log.append('a')
  await log.rewrite()
  await rename(folder, `${folder}-away`)
  await log.rewrite().catch(() => {})
  await log.appendWithRetry('b', true)
  await expect(log.append('c')).rejects.toMatchObject({ code: 'unavailable' })
  expect(warnings).toEqual([expect.stringContaining('ENOENT')])
  await rename(`${folder}-away`, folder)
  await log.append('d')
  expect(await read()).toEqual(['b', 'd'])
})

test('a closed log rejects records', async () => {
  const { log } = await createLog()
  await log.append('a')
  await log.close()
  await expect(log.append('b')).rejects.toMatchObject({ code: 'unavailable' })
})

test('a log is reloaded without its torn line; a missing one is created on request', async () => {
  const { log, path, words, read, warnings } = await createLog()
  await log.reload(() => {}, false)
  await expect(read()).rejects.toMatchObject({ code: 'ENOENT' })
  await log.reload(() => {})
  expect(await read()).toEqual([])
  await writeFile(path, `${['a', 'b'].map(word => encodeChecksumLine(word)).join('')}torn`)
  await log.reload(value => words.push(String(value)))
  expect([words, await read(), warnings]).toEqual([['a', 'b'], ['a', 'b'], []])
})

test('a log that can be neither read nor replaced gives one warning', async () => {
  const { log, path, warnings } = await createLog()
  await mkdir(path)
  await log.reload(() => {})
  expect(warnings).toEqual([expect.stringContaining(path)])
})
