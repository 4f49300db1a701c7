import { appendFileSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Message } from '../../../src/domain/message/message.js'
import { encodeChecksumLine } from '../../../src/util/files/checksum-line.js'
import type { World } from '../world/world.js'
import { settlesWithin } from './cell.js'

/** A longer journal is compacted. */
const compactAbove = 16 << 20
/** Bytes that the load adds before. */
const remaining = 8 << 10
const perLine = 10
const lineFeed = 10

const pollInterval = 50

/**
 * Extends the journal of a stopped relay, with repeated records of one message, until a compaction
 * is nearly due. Starts the relay first if a compaction was interrupted or a line is torn.
 */
export async function makeNearlyDue(world: World): Promise<void> {
  const directory = join(world.directory, 'data')
  if (!isClosed(directory)) {
    await world.service.start()
    while (journalsIn(directory).length > 1) {
      if (await settlesWithin(pollInterval, world.service.process.ended)) break
    }
    await world.service.process.end('SIGTERM')
  }
  const [journal = '', ...others] = journalsIn(directory)
  if (others.length > 0) throw new Error(`A compaction was not resumed in ${directory}.`)
  const line = Buffer.from(encodeChecksumLine(Array.from({ length: perLine }, () => filler)))
  const times = Math.floor((compactAbove - remaining - statSync(journal).size) / line.length)
  if (times > 0) appendFileSync(journal, Buffer.concat(Array.from({ length: times }, () => line)))
}

/** Whether there is one journal, with a whole last line and without preallocation. */
function isClosed(directory: string): boolean {
  const [journal, ...others] = journalsIn(directory)
  if (journal === undefined || others.length > 0) return false
  const bytes = readFileSync(journal)
  return bytes.at(-1) === lineFeed && bytes.at(-2) !== lineFeed
}

function journalsIn(directory: string): string[] {
  return readdirSync(directory)
    .filter(name => /^journal-\d+\.ndjson$/.test(name))
    .sort()
    .map(name => join(directory, name))
}

const id = '01900000-0000-7000-8000-000000000001'

/** A message without an account, which is neither listed nor sent. */
const filler: readonly ['message', string, Message] = [
  'message',
  id,
  {
    id,
    account: 'nobody',
    destination: '+12025550100',
    number: '+12025550100',
    text: 'x'.repeat(200),
    source: 'api',
    status: 'S',
    createdAt: 0,
    sendAt: 0,
    statusAt: 0,
    failures: 0,
    parts: 1,
  },
]
