import { appendFileSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Message } from '../../src/domain/message.js'
import { encodeCheckedLine } from '../../src/util/checked-line.js'
import type { World } from '../world/world.js'

/** A journal of more than this is folded. */
const foldAbove = 16 << 20
/** What the load adds until it is. */
const missing = 8 << 10
const perLine = 10

/**
 * Makes the journal of a service that does not run so long that it is soon folded, by saying the same of one message
 * again and again. A journal that ends in a torn line is left to the service.
 */
export function makeNearlyDue(world: World): void {
  const directory = join(world.directory, 'data')
  const journals = readdirSync(directory)
    .filter(name => /^journal-\d+\.ndjson$/.test(name))
    .sort()
    .map(name => join(directory, name))
  const last = journals.at(-1)
  if (last === undefined || readFileSync(last).at(-1) !== 10) return
  const length = journals.reduce((sum, path) => sum + statSync(path).size, 0)
  const line = Buffer.from(encodeCheckedLine(Array.from({ length: perLine }, () => filler)))
  const times = Math.floor((foldAbove - missing - length) / line.length)
  if (times > 0) appendFileSync(last, Buffer.concat(Array.from({ length: times }, () => line)))
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
