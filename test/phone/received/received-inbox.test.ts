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
  return { inbox, journal, listEmitted, events }
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

  it('is known by sender, time and words; without a time, each one is another text', async () => {
    const { inbox } = await open(await temporaryFolder())
    const others = [{}, { at: start + 1000 }, { from: '+12025550124' }, { sim: 'SIM 2' }]
    for (const fields of [...others, ...others]) await inbox.onText(text('yes', fields))
    expect(await removeAll(inbox)).toHaveLength(4)
    for (let n = 0; n < 3; n += 1) await inbox.onText(text('no', { at: 0 }))
    expect(await removeAll(inbox)).toEqual(['no', 'no', 'no'])
  })

  it('has another key in another phone, which may receive an equal text', async () => {
    const keys: unknown[] = []
    for (const now of [start, start + 1]) {
      const { inbox } = await open(await temporaryFolder(), { now: () => now })
      await inbox.onText(text('a'))
      keys.push(inbox.getNext()?.key)
    }
    expect(new Set(keys).size).toBe(2)
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

  it.each([
    ['later', { at: start + 3_600_000 }],
    ['of unknown time, two days later', { at: 0 }],
  ])('is not joined with an old part of the same reference: %s', async (_, fields) => {
    let now = start
    const { inbox } = await open(await temporaryFolder(), { now: () => now })
    await inbox.onText({ ...part('old ', 1), ...fields, at: fields.at && start })
    now += 2 * day
    const second = { ...part('two', 2), ...fields, ref: 'new 2' }
    const first = { ...part('one ', 1), ...fields, ref: 'new 1' }
    await inbox.onText(second)
    await inbox.onText(first)
    expect((await removeAll(inbox)).sort()).toEqual(['old […]', 'one two'])
  })

  it.each([
    ['at a known time', start],
    ['at an unknown time', 0],
  ])('that is complete stays alone when a part comes again %s', async (_, at) => {
    let now = start
    let directory = await temporaryFolder()
    let phone = await open(directory, { now: () => now })
    const send = async (number: number) => {
      const { ref: _ref, ...each } = part(`${number}`, number)
      await phone.inbox.onText({ ...each, at })
    }
    for (const number of [1, 1, 2]) await send(number)
    expect(await removeAll(phone.inbox)).toEqual(['12'])
    await send(2)
    directory = await copyAfterCrash(directory)
    now += 2 * day
    phone = await open(directory, { now: () => now })
    expect(await removeAll(phone.inbox)).toEqual([])
    await send(2)
    if (at === 0) await send(1)
    expect(await removeAll(phone.inbox)).toEqual(at === 0 ? ['12'] : [])
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

describe('an SMS of octets', () => {
  const push = (subject: string, transaction = 'T1') =>
    [
      `\x01\x06\x01\xbe\x8c\x82\x98${transaction}\0`,
      `\x89\x0e\x80+12025550143\0\x96${subject}\0\x8e\x02\x01\x00`,
    ].join('')
  const data = { isData: true, port: 2948 }
  const ignored = (events: readonly PhoneEvent[]) =>
    events.flatMap(each => (each.event === 'ignored' ? [each.content] : []))

  it('that notifies of an MMS is one; a repeated notification is ignored', async () => {
    const directory = await temporaryFolder()
    const { inbox, events } = await open(directory)
    const whole = push('Holiday')
    await inbox.onText({ ...part(whole.slice(20), 2), ...data })
    await inbox.onText({ ...part(whole.slice(0, 20), 1), ...data })
    const mms = { from: '+12025550143', text: '', mms: { subject: 'Holiday', size: 256 } }
    expect(inbox.getNext()).toMatchObject(mms)
    const event = { event: 'received', from: '+12025550143', kind: 'mms', subject: 'Holiday' }
    expect(events).toMatchObject([event])
    await inbox.onText(text(whole, { ...data, at: start + 60_000 }))
    const reopened = await open(await copyAfterCrash(directory))
    expect(reopened.inbox.getNext()).toMatchObject(mms)
    expect(await removeAll(reopened.inbox)).toHaveLength(1)
    await reopened.inbox.onText(text(whole, { ...data, at: start + 120_000 }))
    await reopened.inbox.onText(text(push('', 'T2'), { ...data, at: start + 120_000 }))
    expect(await removeAll(reopened.inbox)).toHaveLength(1)
  })

  it.each<[string, Partial<IncomingText>, readonly string[]]>([
    ['for a port', { ...data, text: '\x01\x06\x02' }, ['data for port 2948']],
    ['with words for a port', { text: 'x', port: 5505 }, ['data for port 5505']],
    ['without a port', { isData: true, text: 'a\x00b' }, ['data']],
    ['of nothing', { isData: true, text: '' }, ['data']],
    ['of words', { isData: true, text: 'Hi there\n' }, []],
    ['of words in UTF-8', { isData: true, text: '\xc3\xa9' }, []],
    ['of words in Latin-1', { isData: true, text: 'Caf\xe9' }, []],
  ])('%s is a text only if a person can read it', async (_, fields, expected) => {
    const directory = await temporaryFolder()
    const { inbox, events } = await open(directory)
    await inbox.onText(text('', fields))
    expect(ignored(events)).toEqual(expected)
    const words = await removeAll(inbox)
    expect(words).toEqual(expected.length > 0 ? [] : [readWords(fields.text)])
    expect(await removeAll((await open(await copyAfterCrash(directory))).inbox)).toEqual([])
  })

  const readWords = (words = '') => (words === '\xc3\xa9' ? 'é' : words)
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
