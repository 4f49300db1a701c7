import { expect, it } from 'vitest'
import type { PhoneEvent } from '../../../src/phone/events.js'
import { runPhones } from '../../../src/phone/phones.js'
import { pause } from '../../../src/util/pause.js'
import { seededRandom } from '../../../src/util/seeded-random.js'
import { clientWith, setUp } from '../relay-rig.js'
import {
  type Act,
  answerAndHangUp,
  driverTo,
  hangUp,
  keepSilent,
  refuse,
  Smsc,
  takeAndHangUp,
} from './smsc.js'

const count = 1000

/** One of thirty submits meets a fault. */
function faulty(smsc: Smsc): Act {
  const random = seededRandom(20_261_121)
  const take = smsc.otherwise
  const faults: readonly Act[] = [
    ...[refuse(0x58), refuse(0x58), refuse(0x14), hangUp, takeAndHangUp, answerAndHangUp],
    ...[keepSilent, later(take), later(take), later(take)],
  ]
  return (submit, session, server) => {
    const act = random() < 1 / 30 ? faults[Math.floor(random() * faults.length)] : take
    act?.(submit, session, server)
  }
}

/** Answers after those that came later. */
function later(act: Act): Act {
  return (submit, session, smsc) => {
    setTimeout(() => act(submit, session, smsc), 30)
  }
}

function textOf(n: number): string {
  if (n % 10 === 3) return `${n} ${'long '.repeat(50)}€`
  if (n % 10 === 7) return `${n} 你好 😀`
  return `Hello ${n}`
}

it('a thousand messages through an SMSC with faults: none lost, none doubled, whole', async () => {
  const smsc = await Smsc.start()
  smsc.otherwise = faulty(smsc)
  const { url, account, client } = await setUp({ mode: 'at-most-once' })
  const ids = new Map<string, number>()
  for (let n = 0; n < count; n += 20) {
    const numbers = Array.from({ length: 20 }, (_, at) => n + at)
    await Promise.all(
      numbers.map(async each => {
        const draft = { destination: destinationOf(each), message: textOf(each) }
        ids.set((await client.createMessage(draft)).id, each)
      }),
    )
  }
  const stop = new AbortController()
  const events: PhoneEvent[] = []
  const done = runPhones({
    driver: driverTo(smsc, { window: '10', timeout: '2' }),
    concurrency: 10,
    createClient: async () => clientWith(url, account, 'app_key'),
    stop: stop.signal,
    onEvent: event => events.push(event),
    pause: (milliseconds, signal) => pause(milliseconds / 50, signal),
  })
  const ended = () => events.filter(({ event }) => event === 'sent' || event === 'unknown').length
  await expect.poll(ended, { timeout: 90_000, interval: 100 }).toBe(count)
  stop.abort()
  const result = await done
  expect(result).toMatchObject({ handled: count, failed: 0, unreported: 0 })
  expect(result.unknown).toBeGreaterThan(3)
  expect(result.unknown).toBeLessThan(count / 4)
  const parts = gathered(smsc)
  const told = new Map(events.flatMap(each => ('id' in each ? [[each.id, each] as const] : [])))
  for (const [id, n] of ids) {
    const message = await client.getMessage(id)
    const taken = parts.get(destinationOf(n)) ?? []
    const end = told.get(id)
    expect({ n, status: message.status }).toEqual({ n, status: end?.event === 'sent' ? 'S' : 'L' })
    expect(new Set(taken.map(each => each.header)).size).toBe(taken.length)
    if (end?.event !== 'sent') continue
    const whole = taken.toSorted((a, b) => a.header.localeCompare(b.header))
    expect(whole.map(each => each.text).join('')).toBe(textOf(n))
    expect(end.parts).toBe(taken.length)
  }
  expect(smsc.binds.length).toBeGreaterThan(2)
}, 120_000)

function destinationOf(n: number): string {
  return `+1202555${String(n).padStart(4, '0')}`
}

/** What was taken for each destination; a part that came twice is there twice. */
function gathered(smsc: Smsc) {
  const all = new Map<string, { header: string; text: string }[]>()
  for (const { destination_addr: to, short_message: field } of smsc.taken) {
    const { message, udh } = field as { message: string; udh?: Buffer[] }
    const header = (udh ?? []).map(each => each.toString('hex')).join()
    const key = `+${String(to)}`
    all.set(key, [...(all.get(key) ?? []), { header, text: message }])
  }
  return all
}
