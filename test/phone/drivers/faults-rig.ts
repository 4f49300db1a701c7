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

/** The result of a fault: the text is sent in the end, or unknown, and then it was sent or not. */
export type Consequence = 'sent' | 'unknown, went out' | 'unknown, did not'

/** Messages in each run; SMSRELAY_TEST_MESSAGES sets more. */
export const many = Number(process.env.SMSRELAY_TEST_MESSAGES ?? 30)

/** A text of one or more parts, with its number and the count of its parts. */
export function createText(n: number): string {
  const long = ['', 'x'.repeat(200), 'ж'.repeat(80), '😀 '.repeat(30), '~{€'.repeat(40)][n % 5]
  const text = `n=${n} p=P ${long}`
  return text.replace('P', String(countSmsParts(text).parts))
}

/** Plans a fault for about every third message, each fault in turn, in files `plan/N`. */
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

/** A script of sh that finds the number and the planned fault of a text; each fault occurs once. */
export const findFault = `n=\${text#*n=}; n=\${n%% *}; parts=\${text#*p=}; parts=\${parts%% *}
fault=none; plan=$here/plan/$n
if [ -f "$plan" ]; then read -r fault < "$plan" || :; rm "$plan"; fi
goes_out() { echo "$n" >> "$here/outbox"; }
`

/** Sends messages through a relay and a phone until no message waits; returns status and parts. */
export async function sendAll(driver: Driver, count: number, concurrency = 4) {
  let skew = 0
  const relay = await setUp({ mode: 'at-most-once' }, 120, () => Date.now() + skew)
  const ids = new Map<string, number>()
  for (let n = 0; n < count; n += 1) {
    const { id } = await relay.client.messages.create({ destination, message: createText(n) })
    ids.set(id, n)
  }
  const events: PhoneEvent[] = []
  for (let left = true; left; ) {
    events.push(...(await runUntilIdle(driver, relay, concurrency)))
    // A round may end with a released message that failed in an earlier one.
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
    client: clientWith(url, account, 'app_key'),
    onEvent: event => {
      events.push(event)
      if (event.event === 'idle') stop.abort()
    },
    // Backoffs are shortened, but not the 2 s in which a stopped phone fetches a leased message.
    clock: {
      ...clock,
      sleep: (milliseconds, signal) =>
        clock.sleep(milliseconds < 2000 ? milliseconds / 100 : milliseconds, signal),
    },
  })
  await done
  return events
}

/** Compares the results with the plan and the outbox: no message is lost or doubled. */
export function checkResults(
  { status, parts }: Awaited<ReturnType<typeof sendAll>>,
  outbox: readonly number[],
  consequence: (n: number) => Consequence,
): void {
  const countSent = (n: number) => outbox.filter(each => each === n).length
  const all = [...status.keys()]
  const wrong = all.filter(n => {
    const times = countSent(n)
    if (consequence(n) === 'sent') return status.get(n) !== 'S' || times !== 1
    return status.get(n) !== 'L' || times !== (consequence(n) === 'unknown, went out' ? 1 : 0)
  })
  const describe = (n: number) => `${n}: ${consequence(n)}; ${status.get(n)}, ${countSent(n)} times`
  expect(wrong.map(describe)).toEqual([])
  const sent = all.filter(n => status.get(n) === 'S')
  expect(sent.length).toBeGreaterThan(all.length / 2)
  expect(sent.map(n => parts.get(n))).toEqual(sent.map(n => countSmsParts(createText(n)).parts))
}
