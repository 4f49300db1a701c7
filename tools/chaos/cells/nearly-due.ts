import { appendFileSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Message } from '../../../src/domain/message/message.js'
import { encodeChecksumLine } from '../../../src/util/files/checksum-line.js'
import type { World } from '../world/world.js'
import { settlesWithin } from './cell.js'

/** A journal of more than this is folded. */
const foldAbove = 16 << 20
/** What the load adds until it is. */
const missing = 8 << 10
const perLine = 10
const lineFeed = 10

const lookEvery = 50

/**
 * Makes the journal of a service that does not run so long that it is soon folded, by saying the same of one message
 * again and again. A compaction that was cut short, and a torn line, are first left to the service to mend.
 */
export async function makeNearlyDue(world: World): Promise<void> {
  const directory = join(world.directory, 'data')
  if (!isClosed(directory)) {
    await world.service.start()
    while (journalsIn(directory).length > 1) {
      if (await settlesWithin(lookEvery, world.service.process.ended)) break
    }
    await world.service.process.end('SIGTERM')
  }
  const [journal = '', ...others] = journalsIn(directory)
  if (others.length > 0) throw new Error(`A compaction was not resumed in ${directory}.`)
  const line = Buffer.from(encodeChecksumLine(Array.from({ length: perLine }, () => filler)))
  const times = Math.floor((foldAbove - missing - statSync(journal).size) / line.length)
  if (times > 0) appendFileSync(journal, Buffer.concat(Array.from({ length: times }, () => line)))
}

/** Whether there is one journal, and it was closed: its last line has an end, and no room behind it. */
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

/** Belongs to no account, so that nobody sees or sends it. */
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
