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
import { crashed, folder, openJournal } from '../journal/journal-rig.js'

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
  const intake = new ReceivedInbox({
    ...{ store: journal.received, forward: true, clock: { ...createClock(), now }, ...options },
    onEvent: event => events.push(event),
  })
  const shown = () => events.flatMap(each => (each.event === 'received' ? [each.text] : []))
  return { intake, journal, shown }
}

/** What a phone would report now, oldest first. */
async function taken(intake: ReceivedInbox): Promise<string[]> {
  const all: string[] = []
  for (let next = intake.getNext(); next !== undefined; next = intake.getNext()) {
    all.push(next.text)
    await intake.remove(next)
  }
  return all
}

describe('a text that came in', () => {
  it('is on the disk once it is taken, and there in its order after a crash', async () => {
    const directory = await folder()
    const { intake, shown } = await open(directory)
    const words = Array.from({ length: 30 }, (_, n) => `text ${n}`)
    await Promise.all(words.map(async each => await intake.onText(text(each))))
    const again = await open(await crashed(directory))
    expect(shown()).toEqual(words)
    expect(again.shown()).toEqual([])
    expect(await taken(again.intake)).toEqual(words)
  })

  it('is not there any more once the relay has it, also after a crash', async () => {
    const directory = await folder()
    const { intake } = await open(directory)
    for (const each of ['a', 'b']) await intake.onText(text(each))
    const [first] = [intake.getNext()]
    if (first !== undefined) await intake.remove(first)
    expect(await taken((await open(await crashed(directory))).intake)).toEqual(['b'])
  })

  it('has the same key after a crash', async () => {
    const directory = await folder()
    const { intake } = await open(directory)
    await intake.onText(text('a'))
    const again = await open(await crashed(directory))
    expect(again.intake.getNext()).toEqual(intake.getNext())
  })

  it('that is told again is the same, while it is kept, when it is gone and after a restart', async () => {
    const directory = await folder()
    const { intake, journal, shown } = await open(directory)
    const once = text('a', { ref: '3 pdu' })
    await Promise.all([intake.onText(once), intake.onText(once)])
    expect(await taken(intake)).toEqual(['a'])
    await intake.onText(once)
    await intake.onText({ ...once, line: 'b' })
    expect(await taken(intake)).toEqual(['a'])
    expect(shown()).toEqual(['a', 'a'])
    await journal[Symbol.asyncDispose]()
    const again = await open(directory)
    await again.intake.onText(once)
    expect(await taken(again.intake)).toEqual([])
  })

  it('with the words of another is another', async () => {
    const { intake } = await open(await folder())
    for (let n = 0; n < 3; n += 1) await intake.onText(text('yes'))
    expect(await taken(intake)).toEqual(['yes', 'yes', 'yes'])
  })

  it('that cannot be kept is refused, and taken when it comes again', async () => {
    let full = true
    const must = async () => {
      if (full) throw new Error('disk full')
    }
    const store = { ...createMemoryReceivedStore(), append: must }
    const intake = new ReceivedInbox({
      store,
      forward: true,
      clock: createClock(),
      onEvent: () => {},
    })
    const once = text('a', { ref: '1' })
    await expect(intake.onText(once)).rejects.toThrow('disk full')
    expect(intake.getNext()).toBeUndefined()
    full = false
    await intake.onText(once)
    expect(await taken(intake)).toEqual(['a'])
  })

  it('is only shown where texts are not to be reported', async () => {
    const directory = await folder()
    const { intake, journal, shown } = await open(directory, { forward: false })
    await intake.onText(text('a'))
    expect([shown(), intake.getNext()]).toEqual([['a'], undefined])
    await journal[Symbol.asyncDispose]()
    expect(await taken((await open(directory)).intake)).toEqual([])
  })

  it('of another account is neither reported nor thrown away', async () => {
    const directory = await folder()
    const { intake, journal } = await open(directory)
    await intake.onText(text('a'))
    await journal[Symbol.asyncDispose]()
    const credentials = { user: 'other', password: 'app' }
    await expect(openJournal(directory, { credentials })).rejects.toMatchObject({
      code: 'configuration',
    })
    expect(await readFile(join(directory, 'received'), 'utf8')).toContain('"text":"a"')
  })
})

describe('a text in parts', () => {
  it('is put together in whatever order its parts come, through any crash between them', async () => {
    const orders = fc.shuffledSubarray([1, 2, 3, 1, 2, 3], { minLength: 6 })
    await fc.assert(
      fc.asyncProperty(orders, fc.nat(5), async (order, crash) => {
        let directory = await folder()
        let phone = await open(directory)
        const got: string[] = []
        for (const [at, number] of order.entries()) {
          await phone.intake.onText(part(`${number}`, number, 3))
          if (at !== crash) continue
          got.push(...phone.shown())
          directory = await crashed(directory)
          phone = await open(directory)
        }
        expect([...got, ...phone.shown()]).toEqual(['123'])
        expect(await taken(phone.intake)).toEqual(['123'])
      }),
      { numRuns: 20 },
    )
  })

  it('of which one never comes is told after a day, with a gap', async () => {
    let now = start
    const { intake, shown } = await open(await folder(), { now: () => now })
    await intake.onText(part('one ', 1, 3))
    await intake.onText(part(' three', 3, 3))
    expect(intake.getNext()).toBeUndefined()
    now += day + 1
    expect(intake.getNext()?.text).toBe('one […] three')
    expect(shown()).toEqual(['one […] three'])
  })

  it('does not mix with that of another sender or line', async () => {
    const { intake } = await open(await folder())
    await intake.onText({ ...part('a1', 1), line: 'a' })
    await intake.onText({ ...part('b2', 2), line: 'b' })
    await intake.onText({ ...part('c2', 2), line: 'a', from: '+1999', ref: 'c' })
    expect(intake.getNext()).toBeUndefined()
    await intake.onText({ ...part('a2', 2), line: 'a' })
    expect(intake.getNext()?.text).toBe('a1a2')
  })
})

it('what was being written in a crash is left out, and the rest is there', async () => {
  const directory = await folder()
  const { intake } = await open(directory)
  await intake.onText(text('a'))
  const copy = await crashed(directory)
  await appendFile(join(copy, 'received'), 'deadbeef {"do":"came","ke')
  const again = await open(copy)
  await again.intake.onText(text('b'))
  expect(await taken((await open(await crashed(copy))).intake)).toEqual(['a', 'b'])
})

it('since when texts are looked for is known for ever', async () => {
  let now = start
  const directory = await folder()
  const { intake } = await open(directory, { now: () => now })
  expect(await intake.getFirstRun('termux')).toBe(start)
  now += day
  expect(await intake.getFirstRun('termux')).toBe(start)
  expect(await intake.getFirstRun('other')).toBe(now)
  const again = await open(await crashed(directory), { now: () => now + day })
  expect(await again.intake.getFirstRun('termux')).toBe(start)
})
