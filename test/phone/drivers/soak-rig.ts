import { expect } from 'vitest'
import type { MessageFields } from '../../../src/contract/message-schema.js'
import type { Driver } from '../../../src/phone/driver-port/driver.js'
import type { PhoneEvent } from '../../../src/phone/events/phone-events.js'
import { runPhone } from '../../../src/phone/run-phone.js'
import { scale } from '../../tier.js'
import { createFastClock } from '../../util/async/fast-clock.js'
import { clientWith, setUp } from '../relay-rig.js'

/** Messages of a soak; SMSRELAY_TEST_MESSAGES sets more. */
export const soakCount = Number(process.env.SMSRELAY_TEST_MESSAGES ?? scale(300))

/** A message, its last event at the phone, and its state at the relay. */
interface Soaked {
  readonly destination: string
  readonly text: string
  readonly end: PhoneEvent | undefined
  readonly message: MessageFields
}

const minute = 60_000

/** Sends so many messages through a driver, ten at a time, until all are final. */
export async function soak(driver: Driver, mode: 'at-least-once' | 'at-most-once', count: number) {
  let ahead = 0
  const relay = await setUp({ mode }, undefined, () => Date.now() + ahead)
  const drafts = Array.from({ length: count }, (_, n) => ({
    destination: `+1202555${String(n).padStart(4, '0')}`,
    message: createText(n),
  }))
  const ids: string[] = []
  for (let n = 0; n < count; n += 20) {
    const some = drafts.slice(n, n + 20).map(draft => relay.client.messages.create(draft))
    ids.push(...(await Promise.all(some)).map(({ id }) => id))
  }
  const stop = new AbortController()
  const events: PhoneEvent[] = []
  const done = runPhone({
    ...{ driver, concurrency: 10, wait: 1, stop: stop.signal },
    client: clientWith(relay.url, relay.account, 'app_key'),
    onEvent: event => events.push(event),
    clock: createFastClock(50),
  })
  const list = async () => await relay.client.messages.list({ filter: 'error', count: 1 })
  let jumpedAt: PhoneEvent | undefined
  // Jumps past the longest delay, once in each pause of the phone: no lease may end by a jump.
  const left = async () => {
    const last = events.findLast(({ event }) => event === 'idle' || event === 'took')
    if (last?.event === 'idle' && last !== jumpedAt && (await list()).length > 0) {
      ahead += 76 * minute
      jumpedAt = last
    }
    return countFinal(events)
  }
  await expect.poll(left, { timeout: 240_000, interval: 200 }).toBe(count)
  stop.abort()
  const result = await done
  const last = new Map(events.flatMap(each => ('id' in each ? [[each.id, each] as const] : [])))
  const soaked: Soaked[] = []
  for (const [n, id] of ids.entries()) {
    const { destination = '', message: text = '' } = drafts[n] ?? {}
    const message = await relay.client.messages.get(id)
    soaked.push({ destination, text, end: last.get(id), message })
  }
  return { result, soaked }
}

function countFinal(events: readonly PhoneEvent[]): number {
  return events.filter(
    each =>
      each.event === 'sent' ||
      ((each.event === 'unknown' || each.event === 'failed') && each.status !== 'E'),
  ).length
}

function createText(n: number): string {
  if (n % 10 === 3) return `${n} ${'long '.repeat(50)}€`
  if (n % 10 === 7) return `${n} 你好 😀`
  return `Hello ${n}`
}
