import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { MessageFields } from '../../../src/contract/message-schema.js'
import { SentLog } from '../../../src/phone/rate-limit/sent-log.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { openJournal } from './journal-rig.js'

// A journal that an earlier version left when it was killed.
const fixture = new URL('../../fixtures/phone-journal/', import.meta.url).pathname
const credentials = { user: 'sk_ada', password: 'ak_ada' }

async function copyJournal(): Promise<string> {
  const directory = join(await temporaryFolder(), 'journal')
  await cp(fixture, directory, { recursive: true })
  return directory
}

function formatId(number: number): string {
  return `018bcfe5-6800-7000-8000-00000000000${number}`
}

test('attempts of an earlier version are reported, and not made again', async () => {
  const journal = await openJournal(await copyJournal(), { credentials })
  expect(journal.warnings).toEqual([])
  const failed = { result: 'failed', error: 'no signal' }
  expect(journal.attempts.unreported()).toMatchObject([
    { id: formatId(3), key: 'report-3', outcome: failed },
    { id: formatId(4), key: 'report-4', outcome: { result: 'unknown' } },
  ])
  const fields = { destination: '+12025550143' } as MessageFields
  const sent = { ...fields, id: formatId(1), message: 'one' }
  expect(await journal.attempts.begin(sent, 'new-1')).toEqual({
    id: formatId(1),
    key: 'report-1',
    outcome: { result: 'sent', parts: 2 },
  })
  const canceled = { ...fields, id: formatId(2), message: 'two' }
  expect(await journal.attempts.begin(canceled, 'new-2')).toBeUndefined()
})

test('the first token of an earlier version is used again, and others are listed', async () => {
  const journal = await openJournal(await copyJournal(), { credentials })
  expect(await journal.readToken()).toBe('srt_worker_0')
  expect(await journal.formerTokens.list()).toEqual(['srt_worker_1'])
  await journal.formerTokens.remove('srt_worker_1')
  expect(await journal.formerTokens.list()).toEqual([])
})

test('received texts of an earlier version are forwarded', async () => {
  const { received } = await openJournal(await copyJournal(), { credentials })
  const at = 1_700_000_001_000
  const part = { reference: 7, count: 2, number: 1 }
  expect([...received.records.parts()]).toEqual([
    { key: 'in-1', from: '+12025550177', text: 'Thanks!', at, cameAt: at },
    { key: 'in-2', from: '+12025550166', text: 'first half ', at, cameAt: at, part },
  ])
  expect(received.records.has('in-0')).toBe(true)
  expect(received.records.getFirstRun('gammu')).toBe(1_700_000_000_000)
})

test('parts that an earlier version sent count for the rate limit', async () => {
  const directory = await copyJournal()
  const now = 1_700_000_010_000
  const longest = { parts: 100, period: 3_600_000, name: '100/h' }
  const log = await SentLog.open(join(directory, 'pace'), {
    longest,
    slot: 1000,
    time: () => now,
    warn: sentence => expect.unreachable(sentence),
  })
  expect(log.getSent()).toEqual([
    { at: now - 8000, parts: 1 },
    { at: now - 6000, parts: 2 },
    { at: now - 4000, parts: 3 },
  ])
  await log[Symbol.asyncDispose]()
})
