import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { IncomingText } from '../../../src/phone/driver-port/driver.js'
import type { PhoneEvent } from '../../../src/phone/events/phone-events.js'
import {
  createMemoryReceivedStore,
  ReceivedInbox,
} from '../../../src/phone/received/received-inbox.js'
import { createClock } from '../../../src/util/async/clock.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { copyAfterCrash, openJournal } from '../journal/journal-rig.js'

const day = 86_400_000
const start = Date.UTC(2026, 10, 21)

function text(words: string, fields: Partial<IncomingText> = {}): IncomingText {
  return { from: '+12025550123', text: words, at: start, ...fields }
}

function part(words: string, number: number, count = 2, reference = 7): IncomingText {
  return text(words, { part: { reference, count, number }, ref: `${reference} ${number}` })
}

async function open(
  directory: string,
  { now = () => start, ...options }: { forward?: boolean; now?: () => number } = {},
) {
  const journal = await openJournal(directory)
  const events: PhoneEvent[] = []
  const inbox = new ReceivedInbox({
    ...{ store: journal.received, forward: true, clock: { ...createClock(), now }, ...options },
    onEvent: event => events.push(event),
  })
  const listEmitted = () => events.flatMap(each => (each.event === 'received' ? [each.text] : []))
  return { inbox, journal, listEmitted }
}

/** The texts that a phone would report now, oldest first. */
async function removeAll(inbox: ReceivedInbox): Promise<string[]> {
  const all: string[] = []
  for (let next = inbox.getNext(); next !== undefined; next = inbox.getNext()) {
    all.push(next.text)
    await inbox.remove(next)
  }
  return all
}

describe('a received text', () => {
  it('is on disk once it is accepted, and in its order after a crash', async () => {
    const directory = await temporaryFolder()
    const { inbox, listEmitted } = await open(directory)
    const words = Array.from({ length: 30 }, (_, n) => `text ${n}`)
    await Promise.all(words.map(async each => await inbox.onText(text(each))))
    const reopened = await open(await copyAfterCrash(directory))
    expect(listEmitted()).toEqual(words)
    expect(reopened.listEmitted()).toEqual([])
    expect(await removeAll(reopened.inbox)).toEqual(words)
  })

  it('is removed once the relay has it, also after a crash', async () => {
    const directory = await temporaryFolder()
    const { inbox } = await open(directory)
    for (const each of ['a', 'b']) await inbox.onText(text(each))
    const [first] = [inbox.getNext()]
    if (first !== undefined) await inbox.remove(first)
    expect(await removeAll((await open(await copyAfterCrash(directory))).inbox)).toEqual(['b'])
  })

  it('has the same key after a crash', async () => {
    const directory = await temporaryFolder()
    const { inbox } = await open(directory)
    await inbox.onText(text('a'))
    const reopened = await open(await copyAfterCrash(directory))
    expect(reopened.inbox.getNext()).toEqual(inbox.getNext())
  })

  it('with a known ref is ignored, also after its removal and a restart', async () => {
    const directory = await temporaryFolder()
    const { inbox, journal, listEmitted } = await open(directory)
    const once = text('a', { ref: '3 pdu' })
    await Promise.all([inbox.onText(once), inbox.onText(once)])
    expect(await removeAll(inbox)).toEqual(['a'])
    await inbox.onText(once)
    await inbox.onText({ ...once, line: 'b' })
    expect(await removeAll(inbox)).toEqual(['a'])
    expect(listEmitted()).toEqual(['a', 'a'])
    await journal[Symbol.asyncDispose]()
    const reopened = await open(directory)
    await reopened.inbox.onText(once)
    expect(await removeAll(reopened.inbox)).toEqual([])
  })

  it('with the same words as another is also stored', async () => {
    const { inbox } = await open(await temporaryFolder())
    for (let n = 0; n < 3; n += 1) await inbox.onText(text('yes'))
    expect(await removeAll(inbox)).toEqual(['yes', 'yes', 'yes'])
  })

  it('that cannot be stored is rejected, and accepted when it is delivered again', async () => {
    let full = true
    const append = async () => {
      if (full) throw new Error('disk full')
    }
    const store = { ...createMemoryReceivedStore(), append }
    const inbox = new ReceivedInbox({
      store,
      forward: true,
      clock: createClock(),
      onEvent: () => {},
    })
    const once = text('a', { ref: '1' })
    await expect(inbox.onText(once)).rejects.toThrow('disk full')
    expect(inbox.getNext()).toBeUndefined()
    full = false
    await inbox.onText(once)
    expect(await removeAll(inbox)).toEqual(['a'])
  })

  it('is only emitted without forwarding', async () => {
    const directory = await temporaryFolder()
    const { inbox, journal, listEmitted } = await open(directory, { forward: false })
    await inbox.onText(text('a'))
    expect([listEmitted(), inbox.getNext()]).toEqual([['a'], undefined])
    await journal[Symbol.asyncDispose]()
    expect(await removeAll((await open(directory)).inbox)).toEqual([])
  })

  it('of another account is neither reported nor deleted', async () => {
    const directory = await temporaryFolder()
    const { inbox, journal } = await open(directory)
    await inbox.onText(text('a'))
    await journal[Symbol.asyncDispose]()
    const credentials = { user: 'other', password: 'app' }
    await expect(openJournal(directory, { credentials })).rejects.toMatchObject({
      code: 'configuration',
    })
    expect(await readFile(join(directory, 'received'), 'utf8')).toContain('"text":"a"')
  })
})

describe('a text in parts', () => {
  it('is joined in any order of its parts, with crashes between them', async () => {
    const orders = fc.shuffledSubarray([1, 2, 3, 1, 2, 3], { minLength: 6 })
    await fc.assert(
      fc.asyncProperty(orders, fc.nat(5), async (order, crash) => {
        let directory = await temporaryFolder()
        let phone = await open(directory)
        const got: string[] = []
        for (const [at, number] of order.entries()) {
          await phone.inbox.onText(part(`${number}`, number, 3))
          if (at !== crash) continue
          got.push(...phone.listEmitted())
          directory = await copyAfterCrash(directory)
          phone = await open(directory)
        }
        expect([...got, ...phone.listEmitted()]).toEqual(['123'])
        expect(await removeAll(phone.inbox)).toEqual(['123'])
      }),
      { numRuns: 20 },
    )
  })

  it('with a missing part is emitted after a day, with a gap', async () => {
    let now = start
    const { inbox, listEmitted } = await open(await temporaryFolder(), { now: () => now })
    await inbox.onText(part('one ', 1, 3))
    await inbox.onText(part(' three', 3, 3))
    expect(inbox.getNext()).toBeUndefined()
    now += day + 1
    expect(inbox.getNext()?.text).toBe('one […] three')
    expect(listEmitted()).toEqual(['one […] three'])
  })

  it('is not mixed with parts of another sender or driver', async () => {
    const { inbox } = await open(await temporaryFolder())
    await inbox.onText({ ...part('a1', 1), line: 'a' })
    await inbox.onText({ ...part('b2', 2), line: 'b' })
    await inbox.onText({ ...part('c2', 2), line: 'a', from: '+1999', ref: 'c' })
    expect(inbox.getNext()).toBeUndefined()
    await inbox.onText({ ...part('a2', 2), line: 'a' })
    expect(inbox.getNext()?.text).toBe('a1a2')
  })
})

it('a torn last record is ignored after a crash', async () => {
  const directory = await temporaryFolder()
  const { inbox } = await open(directory)
  await inbox.onText(text('a'))
  const copy = await copyAfterCrash(directory)
  await appendFile(join(copy, 'received'), 'deadbeef {"do":"came","ke')
  const reopened = await open(copy)
  await reopened.inbox.onText(text('b'))
  expect(await removeAll((await open(await copyAfterCrash(copy))).inbox)).toEqual(['a', 'b'])
})

it('the first run of a driver is remembered', async () => {
  let now = start
  const directory = await temporaryFolder()
  const { inbox } = await open(directory, { now: () => now })
  expect(await inbox.getFirstRun('termux')).toBe(start)
  now += day
  expect(await inbox.getFirstRun('termux')).toBe(start)
  expect(await inbox.getFirstRun('other')).toBe(now)
  const reopened = await open(await copyAfterCrash(directory), { now: () => now + day })
  expect(await reopened.inbox.getFirstRun('termux')).toBe(start)
})
