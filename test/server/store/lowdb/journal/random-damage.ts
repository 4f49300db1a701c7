import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openLowdbStore } from '../../../../../src/server/store/lowdb/lowdb-store.js'
import { createSeededRandom } from '../../../../../src/util/crypto/seeded-random.js'
import { temporaryFolder } from '../../../../temporary-folder.js'
import { accept, fill } from '../../rig.js'
import { openStore, readFilesAsTheyAre } from '../lowdb-rig.js'

export type Files = ReadonlyMap<string, Buffer>
type Random = (limit: number) => number

/** A directory with a snapshot, two closed journals and an open one: after a crash and closed. */
export async function createDirectories(): Promise<{ crashed: Files; closed: Files }> {
  const folder = await temporaryFolder()
  const first = await openStore(folder)
  await fill(first)
  await first.close()
  await (await openStore(folder, { compactAbove: 0 })).close()
  for (const id of ['x', 'y']) {
    const store = await openLowdbStore(folder, {
      compactAbove: 0,
      runCompaction: (_, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', reject)),
    })
    for (const at of [1, 2, 3, 4, 5, 6]) await accept(store, `${id}${at}`)
    await store.close()
  }
  const last = await openStore(folder)
  for (const at of [1, 2, 3, 4]) await accept(last, `z${at}`)
  const running = await readFilesAsTheyAre(folder)
  await last.close()
  // Less preallocated space makes the test faster.
  const crashed = [...running].map(([name, bytes]) => [
    name,
    bytes.subarray(0, getTextLength(bytes) + 2000),
  ])
  return {
    crashed: new Map(crashed as [string, Buffer][]),
    closed: await readFilesAsTheyAre(folder),
  }
}

function splitLines(bytes: Buffer): { lines: Buffer[]; rest: Buffer } {
  const lines: Buffer[] = []
  let from = 0
  for (let to = bytes.indexOf(10); to > from; to = bytes.indexOf(10, from)) {
    lines.push(bytes.subarray(from, to + 1))
    from = to + 1
  }
  return { lines, rest: bytes.subarray(from) }
}

const damages: Record<string, (bytes: Buffer, random: Random) => Buffer> = {
  'flipped byte': (bytes, random) => {
    const changed = Buffer.from(bytes)
    const at = random(getTextLength(bytes) + 20) % bytes.length
    changed[at] = (changed[at] as number) ^ (1 << random(8))
    return changed
  },
  cut: (bytes, random) => bytes.subarray(0, random(getTextLength(bytes) + 1)),
  'cut after a line': (bytes, random) => {
    const { lines } = splitLines(bytes)
    return Buffer.concat(lines.slice(0, random(lines.length + 1)))
  },
  'duplicated line': (bytes, random) => {
    const { lines, rest } = splitLines(bytes)
    const at = random(lines.length)
    return Buffer.concat([...lines.toSpliced(at, 0, lines[at] as Buffer), rest])
  },
  'swapped lines': (bytes, random) => {
    const { lines, rest } = splitLines(bytes)
    const [a, b] = [random(lines.length), random(lines.length)]
    const swapped = lines.with(a, lines[b] as Buffer).with(b, lines[a] as Buffer)
    return Buffer.concat([...swapped, rest])
  },
  'zeroed block': (bytes, random) => {
    const aligned = random(2) === 0
    const from = random(getTextLength(bytes)) & (aligned ? ~511 : ~0)
    return Buffer.from(bytes).fill(0, from, Math.min(from + 1 + random(600), bytes.length))
  },
}

/** Bytes without the preallocation. */
function getTextLength(bytes: Buffer): number {
  return bytes.findLastIndex(byte => byte !== 10) + 2
}

export async function writeFiles(folder: string, files: Files): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const [name, bytes] of files) await writeFile(join(folder, name), bytes)
}

/** A file of a directory with random damage. */
export interface DamagedFile {
  readonly name: string
  /** The kind of damage, and the file. */
  readonly label: string
  readonly before: Buffer
  readonly changed: Buffer
}

/** Returns a function that damages a random file of a directory; a seed replays it. */
export function createDamager(seed: number): (files: Files) => DamagedFile {
  const next = createSeededRandom(seed)
  const random: Random = limit => Math.floor(next() * limit)
  const kinds = Object.entries(damages)
  return files => {
    const [name, before] = [...files][random(files.size)] as [string, Buffer]
    const [kind, damage] = kinds[random(kinds.length)] as (typeof kinds)[number]
    return { name, label: `${kind} in ${name}`, before, changed: damage(before, random) }
  }
}
