import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compactJournals } from '../../../../../src/server/store/lowdb/journal/compact-journals.js'
import { openLowdbStore } from '../../../../../src/server/store/lowdb/lowdb-store.js'
import type { Store } from '../../../../../src/server/store/store.js'
import { encodeChecksumLine } from '../../../../../src/util/files/checksum-line.js'
import { fill, start } from '../../rig.js'
import { filesIn, firstJournal, newFolder, openStore } from '../lowdb-rig.js'

/** A folder whose journal has these bytes, and a way to open it and to close it again. */
async function shelf(room = 0) {
  const folder = await newFolder()
  const path = join(folder, firstJournal)
  const warnings: string[] = []
  const reopen = async <T>(look: (store: Store) => T) => {
    const store = await openLowdbStore(folder, { warn: sentence => warnings.push(sentence) })
    try {
      return await look(store)
    } finally {
      await store.close()
    }
  }
  return {
    folder,
    path,
    warnings,
    reopen,
    write: (bytes: Buffer) => writeFile(path, Buffer.concat([bytes, Buffer.alloc(room, 10)])),
  }
}

/** The bytes of a journal of four short lines: a header and three tokens. */
async function journal() {
  const folder = await newFolder()
  const store = await openStore(folder)
  for (const id of ['t1', 't2', 't3']) await putToken(store, id)
  await store.close()
  const bytes = (await filesIn(folder)).get(firstJournal) as Buffer
  return { bytes, last: bytes.lastIndexOf(10, -2) + 1 }
}

async function putToken(store: Store, id: string): Promise<void> {
  await store.tokens.put({ id, account: 'ä', kind: 'api', expiresAt: start })
}

/** Which tokens are there. */
async function tokens(store: Store): Promise<string> {
  const found = await Promise.all(['t1', 't2', 't3', 't4'].map(id => store.tokens.get(id)))
  return found.map(token => token?.id ?? '--').join(' ')
}

/** The line a byte is in, from 1. */
function lineOf(bytes: Buffer, at: number): number {
  return bytes.subarray(0, at).toString('latin1').split('\n').length
}

function withByte(bytes: Buffer, at: number, byte: number): Buffer {
  const changed = Buffer.from(bytes)
  changed[at] = byte
  return changed
}

describe.each([0, 3000])('before %i bytes of room a last line', room => {
  test('that was cut at any byte is cut off and said so, and what was before it is there', async () => {
    const { bytes, last } = await journal()
    const { warnings, reopen, write } = await shelf(room)
    // In room the line feed of its end is there already.
    const whole = bytes.length - Math.sign(room)
    for (let length = last + 1; length < whole; length += 1) {
      await write(bytes.subarray(0, length))
      expect(await reopen(tokens)).toBe('t1 t2 -- --')
      expect(warnings.splice(0)).toEqual([expect.stringContaining(`${length - last} bytes`)])
      expect(await reopen(tokens)).toBe('t1 t2 -- --')
      expect(warnings).toEqual([])
    }
  })

  test.each<[string, (bytes: Buffer, last: number) => Buffer]>([
    [
      'zeros where its middle would be',
      (bytes, last) => Buffer.from(bytes).fill(0, last + 20, last + 40),
    ],
    ['zeros to its end', (bytes, last) => Buffer.from(bytes).fill(0, last + 20)],
    ['zeros alone', (bytes, last) => Buffer.from(bytes).fill(0, last)],
    ['another letter', (bytes, last) => withByte(bytes, last + 50, 0x5a)],
    ['another end', bytes => withByte(bytes, bytes.length - 1, 0x5a)],
  ])('of %s is cut off and said so', async (_, change) => {
    const { bytes, last } = await journal()
    const { warnings, reopen, write } = await shelf(room)
    const changed = change(bytes, last)
    await write(changed)
    expect(await reopen(tokens)).toBe('t1 t2 -- --')
    const length = changed.length - last - (changed.at(-1) === 10 ? 1 : 0)
    expect(warnings).toEqual([expect.stringContaining(`its ${length} bytes`)])
  })

  test('that was cut is written over by the next change', async () => {
    const { bytes, last } = await journal()
    const { reopen, write } = await shelf(room)
    await write(bytes.subarray(0, last + 40))
    await reopen(async store => await putToken(store, 't4'))
    expect(await reopen(tokens)).toBe('t1 t2 -- t4')
  })

  test.each([0, 1, 8, 9, 30])(
    'that is the header, cut at %i bytes, is an empty journal',
    async length => {
      const { bytes } = await journal()
      const { folder, reopen, write } = await shelf(room)
      await write(bytes.subarray(0, length))
      await reopen(async store => await putToken(store, 't1'))
      expect(await reopen(tokens)).toBe('t1 -- -- --')
      const header = bytes.subarray(0, bytes.indexOf(10) + 1)
      const begun = (await filesIn(folder)).get(firstJournal) as Buffer
      expect(begun.subarray(0, header.length)).toEqual(header)
    },
  )
})

describe.each([0, 3000])('before %i bytes of room damage', room => {
  test.each([0x0a, 0x5a])('of any earlier byte, now %i, is told with file and line', async byte => {
    const { bytes, last } = await journal()
    const { path, reopen, write } = await shelf(room)
    for (let at = 0; at < last; at += 1) {
      if (bytes[at] === byte) continue
      await write(withByte(bytes, at, byte))
      const message = `${path} is damaged at line ${lineOf(bytes, at)}.`
      await expect(reopen(tokens)).rejects.toMatchObject({ code: 'damaged_data', message })
    }
  })

  test('of a line is told although the last line was cut, too', async () => {
    const { bytes, last } = await journal()
    const { path, reopen, write } = await shelf(room)
    for (const at of [last - 20, last - 1]) {
      await write(withByte(bytes, at, 0x5a).subarray(0, -10))
      const message = `${path} is damaged at line 3.`
      await expect(reopen(tokens)).rejects.toMatchObject({ code: 'damaged_data', message })
    }
  })

  test('changes nothing on the disk', async () => {
    const { bytes, last } = await journal()
    const { folder, reopen, write } = await shelf(room)
    await write(withByte(bytes, last - 20, 0))
    const before = await filesIn(folder)
    await expect(reopen(tokens)).rejects.toThrow('damaged')
    expect(await filesIn(folder)).toEqual(before)
  })
})

describe('damage', () => {
  test.each<[string, (bytes: Buffer) => Buffer]>([
    ['a byte', bytes => withByte(bytes, 100, 0)],
    ['the last byte', bytes => withByte(bytes, bytes.length - 1, 0)],
    ['an end that is missing', bytes => bytes.subarray(0, -1)],
    ['a last line that is missing', bytes => bytes.subarray(0, bytes.lastIndexOf(10, -2) + 1)],
    ['a line in it that is missing', bytes => withoutLine(bytes, 2)],
    ['a first line that is missing', bytes => bytes.subarray(bytes.indexOf(10) + 1)],
    ['everything', () => Buffer.alloc(0)],
  ])('of a snapshot is told: %s', async (_, change) => {
    const { folder, reopen } = await shelf()
    await reopen(fill)
    await (
      await openLowdbStore(folder, { compactAbove: 0, runCompaction: compactJournals })
    ).close()
    const path = join(folder, 'snapshot-000002.ndjson')
    const bytes = (await filesIn(folder)).get('snapshot-000002.ndjson') as Buffer
    await writeFile(path, change(bytes))
    const told = { code: 'damaged_data', message: expect.stringContaining(`${path} is damaged`) }
    await expect(reopen(tokens)).rejects.toMatchObject(told)
  })

  test('of a folder whose snapshot is missing is told', async () => {
    const { folder, reopen } = await shelf()
    await reopen(fill)
    await (
      await openLowdbStore(folder, { compactAbove: 0, runCompaction: compactJournals })
    ).close()
    await rm(join(folder, 'snapshot-000002.ndjson'))
    const told = { code: 'damaged_data', message: `The snapshot in ${folder} is missing.` }
    await expect(reopen(tokens)).rejects.toMatchObject(told)
  })
})

test.each(['journal', 'snapshot'])('a %s of a newer format is refused', async kind => {
  const { folder, reopen } = await shelf()
  const path = join(folder, `${kind}-000001.ndjson`)
  await writeFile(
    path,
    encodeChecksumLine({ smsrelay: kind, format: 2 }) + encodeChecksumLine('anything'),
  )
  const before = await filesIn(folder)
  const message = expect.stringMatching(`${path}.* 2 `)
  await expect(reopen(tokens)).rejects.toMatchObject({ code: 'configuration', message })
  expect(await filesIn(folder)).toEqual(before)
})

function withoutLine(bytes: Buffer, number: number): Buffer {
  const lines = bytes.toString('latin1').split('\n')
  return Buffer.from(lines.toSpliced(number, 1).join('\n'), 'latin1')
}
