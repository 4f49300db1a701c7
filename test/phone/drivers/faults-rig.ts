import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { countSmsParts } from '../../../src/domain/sms/sms-parts.js'
import type { Driver } from '../../../src/phone/driver-port/driver.js'
import type { PhoneEvent } from '../../../src/phone/events/phone-events.js'
import { runPhone } from '../../../src/phone/run-phone.js'
import { createClock } from '../../../src/util/async/clock.js'
import { createSeededRandom } from '../../../src/util/crypto/seeded-random.js'
import { clientWith, destination, setUp } from '../relay-rig.js'
import type { StandIns } from './stand-ins.js'

/** What a fault leads to for certain: the text goes out in the end, or nobody knows, and so often it went out. */
export type Consequence = 'sent' | 'unknown, went out' | 'unknown, did not'

/** Messages in each run; SMSRELAY_TEST_MESSAGES=1000 for the whole proof. */
export const many = Number(process.env.SMSRELAY_TEST_MESSAGES ?? 30)

/** A text by its number, of one part or several, which says how many for stand-ins that have to know. */
export function textOf(n: number): string {
  const long = ['', 'x'.repeat(200), 'ж'.repeat(80), '😀 '.repeat(30), '~{€'.repeat(40)][n % 5]
  const text = `n=${n} p=P ${long}`
  return text.replace('P', String(countSmsParts(text).parts))
}

/** Draws about every third message for a fault, each fault in its turn, and tells the stand-ins by `plan/N`. */
export async function planFaults(
  programs: StandIns,
  faults: Readonly<Record<string, Consequence>>,
): Promise<Map<number, string>> {
  await mkdir(join(programs.folder, 'plan'))
  const random = createSeededRandom(4711)
  const drawn = Array.from({ length: many }, (_, n) => n).filter(() => random() < 1 / 3)
  const names = Object.keys(faults)
  const plan = new Map(drawn.map((n, turn) => [n, names[turn % names.length] ?? '']))
  for (const [n, name] of plan) await programs.write(join('plan', String(n)), name)
  expect(new Set(plan.values()).size).toBe(names.length)
  return plan
}

/** The script of sh that finds the number and the fault of a text, once for each fault. */
export const findFault = `n=\${text#*n=}; n=\${n%% *}; parts=\${text#*p=}; parts=\${parts%% *}
fault=none; if [ -f "$here/plan/$n" ]; then read -r fault < "$here/plan/$n" || :; rm "$here/plan/$n"; fi
goes_out() { echo "$n" >> "$here/outbox"; }
`

/** Sends all messages by way of a relay until nothing is left to do, and tells what became of each. */
export async function sendAll(driver: Driver, count: number, concurrency = 4) {
  let skew = 0
  const relay = await setUp({ mode: 'at-most-once' }, 120, () => Date.now() + skew)
  const ids = new Map<string, number>()
  for (let n = 0; n < count; n += 1) {
    const { id } = await relay.client.messages.create({ destination, message: textOf(n) })
    ids.set(id, n)
  }
  const events: PhoneEvent[] = []
  for (let left = true; left; ) {
    events.push(...(await runUntilIdle(driver, relay, concurrency)))
    // A round may end with a message given back that failed in an earlier one.
    left = (await relay.client.status.getQueue()).waiting > 0
    // The longest wait after a failure is 15 minutes times four.
    skew += 61 * 60_000
  }
  const status = new Map<number, string>()
  for (const [id, n] of ids) status.set(n, await relay.status(id))
  const parts = new Map<number, number>()
  for (const event of events) {
    if (event.event === 'sent') parts.set(ids.get(event.id) ?? -1, event.parts)
  }
  return { status, parts, events }
}

async function runUntilIdle(
  driver: Driver,
  { url, account }: Awaited<ReturnType<typeof setUp>>,
  concurrency: number,
): Promise<PhoneEvent[]> {
  const stop = new AbortController()
  const events: PhoneEvent[] = []
  const clock = createClock()
  const done = runPhone({
    driver,
    concurrency,
    stop: stop.signal,
    createClient: async () => clientWith(url, account, 'app_key'),
    onEvent: event => {
      events.push(event)
      if (event.event === 'idle') stop.abort()
    },
    // First waits are short; the 2 s in which a stopped phone asks for what was on its way to it are left alone.
    clock: {
      ...clock,
      sleep: (milliseconds, signal) =>
        clock.sleep(milliseconds < 2000 ? milliseconds / 100 : milliseconds, signal),
    },
  })
  await done
  return events
}

/** Holds what became of the messages against the plan and what the network saw: none lost, none doubled. */
export function judge(
  { status, parts }: Awaited<ReturnType<typeof sendAll>>,
  outbox: readonly number[],
  consequence: (n: number) => Consequence,
): void {
  const wentOut = (n: number) => outbox.filter(each => each === n).length
  const all = [...status.keys()]
  const wrong = all.filter(n => {
    const times = wentOut(n)
    if (consequence(n) === 'sent') return status.get(n) !== 'S' || times !== 1
    return status.get(n) !== 'L' || times !== (consequence(n) === 'unknown, went out' ? 1 : 0)
  })
  const seen = (n: number) => `${n}: ${consequence(n)}; ${status.get(n)}, ${wentOut(n)} times`
  expect(wrong.map(seen)).toEqual([])
  const sent = all.filter(n => status.get(n) === 'S')
  expect(sent.length).toBeGreaterThan(all.length / 2)
  expect(sent.map(n => parts.get(n))).toEqual(sent.map(n => countSmsParts(textOf(n)).parts))
}
