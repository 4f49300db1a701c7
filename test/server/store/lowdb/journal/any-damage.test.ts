import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isRelayError } from '../../../../../src/errors.js'
import {
  type Manifest,
  manifestName,
  readManifest,
} from '../../../../../src/server/store/lowdb/files/manifest.js'
import { compactJournals } from '../../../../../src/server/store/lowdb/journal/compact-journals.js'
import { checkData } from '../../../../../src/server/store/lowdb/journal/data-tools.js'
import { inspectData } from '../../../../../src/server/store/lowdb/journal/inspect-data.js'
import { openLowdbStore } from '../../../../../src/server/store/lowdb/lowdb-store.js'
import { createSeededRandom } from '../../../../../src/util/crypto/seeded-random.js'
import { temporaryFolder } from '../../../../temporary-folder.js'
import { accept, fill } from '../../rig.js'
import { openStore, readFilesAsTheyAre } from '../lowdb-rig.js'

const seed = 20_261_122
const rounds = 1000

type Files = ReadonlyMap<string, Buffer>
type Random = (limit: number) => number

/** A directory with a snapshot, two closed journals and an open one: after a crash and closed. */
async function createDirectories(): Promise<{ crashed: Files; closed: Files }> {
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

async function writeFiles(folder: string, files: Files): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const [name, bytes] of files) await writeFile(join(folder, name), bytes)
}

/** All records of a directory as text. */
async function readRecords(folder: string): Promise<string> {
  const { data } = await inspectData(folder)
  return JSON.stringify(Object.entries(data).map(([kind, map]) => [kind, [...map.entries()]]))
}

/** Whether a start reports the damage; the records that it serves otherwise. */
async function start(folder: string): Promise<'reported' | string> {
  const warnings: string[] = []
  try {
    const store = await openLowdbStore(folder, { warn: sentence => warnings.push(sentence) })
    await store.close()
  } catch (error) {
    if (isRelayError(error, 'damaged_data')) return 'reported'
    throw error
  }
  return warnings.length > 0 ? 'reported' : await readRecords(folder)
}

/** The same for the compaction of a relay that opened the directory before the damage. */
async function compact(folder: string, { snapshot, journals }: Manifest) {
  const target = 'snapshot-999999.ndjson'
  const closed = journals.filter(each => each.open !== true)
  const job = { directory: folder, snapshot, journals: closed, target }
  try {
    return await compactJournals(job)
  } catch (error) {
    if (isRelayError(error, 'damaged_data')) return 'reported'
    throw error
  }
}

test(`none of ${rounds} random damages loses a record without a report`, async () => {
  const next = createSeededRandom(seed)
  const random: Random = limit => Math.floor(next() * limit)
  const states = Object.entries(await createDirectories())
  const parent = await temporaryFolder()
  const whole = new Map<string, { records: string; manifest: Manifest; compacted: unknown }>()
  for (const [state, files] of states) {
    const folder = join(parent, state)
    await writeFiles(folder, files)
    const manifest = (await readManifest(folder)) as Manifest
    const records = await readRecords(folder)
    whole.set(state, { records, manifest, compacted: await compact(folder, manifest) })
  }
  const found = { reported: 0, harmless: 0, torn: 0 }
  for (let round = 0; round < rounds; round += 1) {
    const [state, files] = states[round % states.length] as [string, Files]
    const { records, manifest, compacted } = whole.get(state) as NonNullable<
      ReturnType<typeof whole.get>
    >
    const [name, bytes] = [...files][random(files.size)] as [string, Buffer]
    const kinds = Object.entries(damages)
    const [kind, damage] = kinds[random(kinds.length)] as (typeof kinds)[number]
    const changed = damage(bytes, random)
    const folder = join(parent, `${state}`)
    const context = `round ${round} of seed ${seed}: ${kind} in ${name}, ${state}`
    await writeFile(join(folder, name), changed)
    const isNamed = [manifest.snapshot, ...manifest.journals].some(each => each?.name === name)
    if (isNamed)
      expect(['reported', compacted], context).toContainEqual(await compact(folder, manifest))
    const checked = (await checkData(folder)).damages
    const started = await start(folder)
    expect(started, context).toBe(checked.length > 0 ? 'reported' : records)
    // A start that succeeds changes the files.
    const isStarted = checked.every(each => each.kind === 'torn')
    if (isStarted) await rm(folder, { recursive: true })
    await writeFiles(folder, isStarted ? files : new Map([[name, bytes]]))
    if (checked.length === 0) found.harmless += 1
    else if (isStarted) found.torn += 1
    else found.reported += 1
  }
  // A byte of preallocated space, a line that is swapped with itself, the space cut off.
  expect(found.harmless).toBeLessThan(rounds / 5)
  expect(found.reported).toBeGreaterThan(rounds / 2)
  expect(found.torn).toBeGreaterThan(0)
  expect([...states.map(([, files]) => files.has(manifestName))]).toEqual([true, true])
}, 60_000)
