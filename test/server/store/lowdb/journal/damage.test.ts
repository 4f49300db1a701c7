import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compactJournals } from '../../../../../src/server/store/lowdb/journal/compact-journals.js'
import { openLowdbStore } from '../../../../../src/server/store/lowdb/lowdb-store.js'
import type { Store } from '../../../../../src/server/store/store.js'
import { encodeChecksumLine } from '../../../../../src/util/files/checksum-line.js'
import { temporaryFolder } from '../../../../temporary-folder.js'
import { fill, start } from '../../rig.js'
import { firstJournal, openStore, readFiles } from '../lowdb-rig.js'

/** A folder with functions to write its journal and to open it. */
async function createFolder(preallocated = 0) {
  const folder = await temporaryFolder()
  const path = join(folder, firstJournal)
  const warnings: string[] = []
  const reopen = async <T>(use: (store: Store) => T) => {
    const store = await openLowdbStore(folder, { warn: sentence => warnings.push(sentence) })
    try {
      return await use(store)
    } finally {
      await store.close()
    }
  }
  return {
    folder,
    path,
    warnings,
    reopen,
    write: (bytes: Buffer) =>
      writeFile(path, Buffer.concat([bytes, Buffer.alloc(preallocated, 10)])),
  }
}

/** The bytes of a journal of four short lines: a header and three tokens. */
async function writeJournal() {
  const folder = await temporaryFolder()
  const store = await openStore(folder)
  for (const id of ['t1', 't2', 't3']) await putToken(store, id)
  await store.close()
  const bytes = (await readFiles(folder)).get(firstJournal) as Buffer
  return { bytes, last: bytes.lastIndexOf(10, -2) + 1 }
}

async function putToken(store: Store, id: string): Promise<void> {
  await store.tokens.put({ id, account: 'ä', kind: 'api', expiresAt: start })
}

async function readTokens(store: Store): Promise<string> {
  const found = await Promise.all(['t1', 't2', 't3', 't4'].map(id => store.tokens.get(id)))
  return found.map(token => token?.id ?? '--').join(' ')
}

/** The number of the line that has a byte, from 1. */
function getLineNumber(bytes: Buffer, at: number): number {
  return bytes.subarray(0, at).toString('latin1').split('\n').length
}

function withByte(bytes: Buffer, at: number, byte: number): Buffer {
  const changed = Buffer.from(bytes)
  changed[at] = byte
  return changed
}

describe.each([0, 3000])('before %i preallocated bytes a last line', preallocated => {
  test('that ends at any byte is truncated with a warning; earlier lines remain', async () => {
    const { bytes, last } = await writeJournal()
    const { warnings, reopen, write } = await createFolder(preallocated)
    // Preallocated bytes are line feeds, so the end of the line is there already.
    const end = bytes.length - Math.sign(preallocated)
    for (let length = last + 1; length < end; length += 1) {
      await write(bytes.subarray(0, length))
      expect(await reopen(readTokens)).toBe('t1 t2 -- --')
      expect(warnings.splice(0)).toEqual([expect.stringContaining(`${length - last} bytes`)])
      expect(await reopen(readTokens)).toBe('t1 t2 -- --')
      expect(warnings).toEqual([])
    }
  })

  test.each<[string, (bytes: Buffer, last: number) => Buffer]>([
    ['zeros in its middle', (bytes, last) => Buffer.from(bytes).fill(0, last + 20, last + 40)],
    ['zeros to its end', (bytes, last) => Buffer.from(bytes).fill(0, last + 20)],
    ['only zeros', (bytes, last) => Buffer.from(bytes).fill(0, last)],
    ['another letter', (bytes, last) => withByte(bytes, last + 50, 0x5a)],
    ['another end', bytes => withByte(bytes, bytes.length - 1, 0x5a)],
  ])('with %s is truncated with a warning', async (_, change) => {
    const { bytes, last } = await writeJournal()
    const { warnings, reopen, write } = await createFolder(preallocated)
    const changed = change(bytes, last)
    await write(changed)
    expect(await reopen(readTokens)).toBe('t1 t2 -- --')
    const length = changed.length - last - (changed.at(-1) === 10 ? 1 : 0)
    expect(warnings).toEqual([expect.stringContaining(`${length} bytes`)])
  })

  test('that is torn is replaced by the next change', async () => {
    const { bytes, last } = await writeJournal()
    const { reopen, write } = await createFolder(preallocated)
    await write(bytes.subarray(0, last + 40))
    await reopen(async store => await putToken(store, 't4'))
    expect(await reopen(readTokens)).toBe('t1 t2 -- t4')
  })

  test.each([0, 1, 8, 9, 30])(
    'that is the first %i bytes of the header is an empty journal',
    async length => {
      const { bytes } = await writeJournal()
      const { folder, reopen, write } = await createFolder(preallocated)
      await write(bytes.subarray(0, length))
      await reopen(async store => await putToken(store, 't1'))
      expect(await reopen(readTokens)).toBe('t1 -- -- --')
      const header = bytes.subarray(0, bytes.indexOf(10) + 1)
      const created = (await readFiles(folder)).get(firstJournal) as Buffer
      expect(created.subarray(0, header.length)).toEqual(header)
    },
  )
})

describe.each([0, 3000])('before %i preallocated bytes damage', preallocated => {
  test.each([0x0a, 0x5a])(
    'of any earlier byte, now %i, is reported with file and line',
    async byte => {
      const { bytes, last } = await writeJournal()
      const { path, reopen, write } = await createFolder(preallocated)
      for (let at = 0; at < last; at += 1) {
        if (bytes[at] === byte) continue
        await write(withByte(bytes, at, byte))
        const message = expect.stringMatching(`${path}.* ${getLineNumber(bytes, at)}\\.`)
        await expect(reopen(readTokens)).rejects.toMatchObject({ code: 'damaged_data', message })
      }
    },
  )

  test('of a line is reported although the last line is torn, too', async () => {
    const { bytes, last } = await writeJournal()
    const { path, reopen, write } = await createFolder(preallocated)
    for (const at of [last - 20, last - 1]) {
      await write(withByte(bytes, at, 0x5a).subarray(0, -10))
      const message = expect.stringMatching(`${path}.* 3\\.`)
      await expect(reopen(readTokens)).rejects.toMatchObject({ code: 'damaged_data', message })
    }
  })

  test('changes nothing on the disk', async () => {
    const { bytes, last } = await writeJournal()
    const { folder, reopen, write } = await createFolder(preallocated)
    await write(withByte(bytes, last - 20, 0))
    const before = await readFiles(folder)
    await expect(reopen(readTokens)).rejects.toMatchObject({ code: 'damaged_data' })
    expect(await readFiles(folder)).toEqual(before)
  })
})

describe('damage', () => {
  test.each<[string, (bytes: Buffer) => Buffer]>([
    ['a byte', bytes => withByte(bytes, 100, 0)],
    ['the last byte', bytes => withByte(bytes, bytes.length - 1, 0)],
    ['its last byte missing', bytes => bytes.subarray(0, -1)],
    ['its last line missing', bytes => bytes.subarray(0, bytes.lastIndexOf(10, -2) + 1)],
    ['a line missing', bytes => withoutLine(bytes, 2)],
    ['its first line missing', bytes => bytes.subarray(bytes.indexOf(10) + 1)],
    ['all bytes missing', () => Buffer.alloc(0)],
  ])('of a snapshot is reported: %s', async (_, change) => {
    const { folder, reopen } = await createFolder()
    await reopen(fill)
    await (
      await openLowdbStore(folder, { compactAbove: 0, runCompaction: compactJournals })
    ).close()
    const path = join(folder, 'snapshot-000002.ndjson')
    const bytes = (await readFiles(folder)).get('snapshot-000002.ndjson') as Buffer
    await writeFile(path, change(bytes))
    const message = expect.stringContaining(path)
    await expect(reopen(readTokens)).rejects.toMatchObject({ code: 'damaged_data', message })
  })

  test('of a directory without its snapshot is reported', async () => {
    const { folder, reopen } = await createFolder()
    await reopen(fill)
    await (
      await openLowdbStore(folder, { compactAbove: 0, runCompaction: compactJournals })
    ).close()
    await rm(join(folder, 'snapshot-000002.ndjson'))
    const message = expect.stringContaining(folder)
    await expect(reopen(readTokens)).rejects.toMatchObject({ code: 'damaged_data', message })
  })
})

test.each(['journal', 'snapshot'])('a %s of a newer format is rejected', async kind => {
  const { folder, reopen } = await createFolder()
  const path = join(folder, `${kind}-000001.ndjson`)
  await writeFile(
    path,
    encodeChecksumLine({ smsrelay: kind, format: 2 }) + encodeChecksumLine('anything'),
  )
  const before = await readFiles(folder)
  const message = expect.stringMatching(`${path}.* 2 `)
  await expect(reopen(readTokens)).rejects.toMatchObject({ code: 'configuration', message })
  expect(await readFiles(folder)).toEqual(before)
})

function withoutLine(bytes: Buffer, number: number): Buffer {
  const lines = bytes.toString('latin1').split('\n')
  return Buffer.from(lines.toSpliced(number, 1).join('\n'), 'latin1')
}
