import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { manifestName } from '../../../../../src/server/store/lowdb/files/manifest.js'
import { openLowdbStore } from '../../../../../src/server/store/lowdb/lowdb-store.js'
import type { Store } from '../../../../../src/server/store/store.js'
import { encodeChecksumLine } from '../../../../../src/util/files/checksum-line.js'
import { temporaryFolder } from '../../../../temporary-folder.js'
import { isFullRun } from '../../../../tier.js'
import { start } from '../../rig.js'
import { firstJournal, openStore, readFiles } from '../lowdb-rig.js'

/** A folder with functions to write its journal and to open it. */
async function createFolder() {
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
    /** As after a crash: the journal has preallocated space, the manifest names its beginning. */
    write: async ({ bytes, manifest }: CrashedFiles, preallocated = 3000) => {
      await writeFile(path, Buffer.concat([bytes, Buffer.alloc(preallocated, 10)]))
      await writeFile(join(folder, manifestName), manifest)
    },
  }
}

/** Bytes between two damages. */
const step = isFullRun ? 1 : 7

interface CrashedFiles {
  readonly bytes: Buffer
  readonly manifest: Buffer
}

/** A journal of a header and three tokens, and the manifest when it was opened. */
async function writeJournal() {
  const folder = await temporaryFolder()
  const store = await openStore(folder)
  const manifest = await readFile(join(folder, manifestName))
  for (const id of ['t1', 't2', 't3']) await putToken(store, id)
  await store.close()
  const bytes = (await readFiles(folder)).get(firstJournal) as Buffer
  return { bytes, manifest, last: bytes.lastIndexOf(10, -2) + 1 }
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

describe('a last line', () => {
  test('that ends at any byte is truncated with a warning, and its bytes are kept', async () => {
    const { bytes, manifest, last } = await writeJournal()
    const { folder, warnings, reopen, write } = await createFolder()
    // Preallocated bytes are line feeds, so the end of the line is there already.
    for (let length = last + 1; length < bytes.length - 1; length += step) {
      await write({ bytes: bytes.subarray(0, length), manifest })
      expect(await reopen(readTokens)).toBe('t1 t2 -- --')
      expect(warnings.splice(0)).toEqual([expect.stringContaining(`${length - last} bytes`)])
      const kept = await readFile(join(folder, `${firstJournal}.torn-${last}`))
      expect(kept.subarray(0, length - last)).toEqual(bytes.subarray(last, length))
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
    const { bytes, manifest, last } = await writeJournal()
    const { warnings, reopen, write } = await createFolder()
    const changed = change(bytes, last)
    await write({ bytes: changed, manifest })
    expect(await reopen(readTokens)).toBe('t1 t2 -- --')
    const length = changed.length - last - (changed.at(-1) === 10 ? 1 : 0)
    expect(warnings).toEqual([expect.stringContaining(`${length} bytes`)])
  })

  test('that is torn is replaced by the next change', async () => {
    const { bytes, manifest, last } = await writeJournal()
    const { reopen, write } = await createFolder()
    await write({ bytes: bytes.subarray(0, last + 40), manifest })
    await reopen(async store => await putToken(store, 't4'))
    expect(await reopen(readTokens)).toBe('t1 t2 -- t4')
  })

  test('after which the file ends was cut, also within it', async () => {
    const { bytes, manifest, last } = await writeJournal()
    const { path, reopen, write } = await createFolder()
    for (const length of [last, last + 1, last + 30, bytes.length - 1, bytes.length]) {
      await write({ bytes: bytes.subarray(0, length), manifest }, 0)
      const message = expect.stringContaining(path)
      await expect(reopen(readTokens)).rejects.toMatchObject({ code: 'damaged_data', message })
    }
  })

  test.each([0, 1, 8, 9, 30])(
    'that is the first %i bytes of the header is an empty journal without a manifest',
    async length => {
      const { bytes, manifest } = await writeJournal()
      const { folder, reopen, write } = await createFolder()
      await write({ bytes: bytes.subarray(0, length), manifest })
      await rm(join(folder, manifestName))
      await reopen(async store => await putToken(store, 't1'))
      expect(await reopen(readTokens)).toBe('t1 -- -- --')
      const header = bytes.subarray(0, bytes.indexOf(10) + 1)
      const created = (await readFiles(folder)).get(firstJournal) as Buffer
      expect(created.subarray(0, header.length)).toEqual(header)
    },
  )
})

describe('damage', () => {
  test.each([0x0a, 0x5a])(
    'of any earlier byte, now %i, is reported with file and line',
    async byte => {
      const { bytes, manifest, last } = await writeJournal()
      const { path, reopen, write } = await createFolder()
      for (let at = 0; at < last; at += step) {
        if (bytes[at] === byte) continue
        await write({ bytes: withByte(bytes, at, byte), manifest })
        const message = expect.stringMatching(`${path}.* ${getLineNumber(bytes, at)}\\.`)
        await expect(reopen(readTokens)).rejects.toMatchObject({ code: 'damaged_data', message })
      }
    },
  )

  test('changes nothing on the disk', async () => {
    const { bytes, manifest, last } = await writeJournal()
    const { folder, reopen, write } = await createFolder()
    await write({ bytes: withByte(bytes, last - 20, 0), manifest })
    const before = await readFiles(folder)
    await expect(reopen(readTokens)).rejects.toMatchObject({ code: 'damaged_data' })
    expect(await readFiles(folder)).toEqual(before)
  })
})

test.each([
  ['journal', 4, 'a newer'],
  ['snapshot', 4, 'a newer'],
  ['journal', 2, 'an older'],
  ['snapshot', 2, 'an older'],
])('a %s of format %i, of %s version, is rejected', async (kind, format, other) => {
  const { folder, reopen } = await createFolder()
  const path = join(folder, `${kind}-000001.ndjson`)
  await writeFile(
    path,
    encodeChecksumLine({ smsrelay: kind, format }) + encodeChecksumLine('anything'),
  )
  const before = await readFiles(folder)
  const message = expect.stringMatching(`${path}.* ${format} of ${other}`)
  await expect(reopen(readTokens)).rejects.toMatchObject({ code: 'configuration', message })
  expect(await readFiles(folder)).toEqual(before)
})

function _withoutLine(bytes: Buffer, number: number): Buffer {
  const lines = bytes.toString('latin1').split('\n')
  return Buffer.from(lines.toSpliced(number, 1).join('\n'), 'latin1')
}
