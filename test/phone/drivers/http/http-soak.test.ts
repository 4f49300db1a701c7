import type { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { createSeededRandom } from '../../../../src/util/crypto/seeded-random.js'
import { soak, soakCount } from '../soak-rig.js'
import { httpDriver, type Reply, startDecider } from './provider.js'

const count = soakCount

interface Taken {
  readonly id: string
  readonly to: string
  readonly text: string
}

/** A provider that takes each id once, with a fault in one of twenty requests. */
async function faultyProvider() {
  const random = createSeededRandom(5)
  const taken: Taken[] = []
  const known = new Set<string>()
  const take = (sent: Taken): Reply => {
    if (known.has(sent.id)) return { status: 409, body: '{"message":"Conflict"}' }
    known.add(sent.id)
    taken.push(sent)
    return { status: 202, body: '{}' }
  }
  const silently = (sent: Taken, reply: Reply): Reply => {
    take(sent)
    return reply
  }
  const gone = (socket: Socket) => socket.destroy()
  const faults: readonly ((sent: Taken) => Reply)[] = [
    () => ({ status: 429, headers: { 'Retry-After': '1' } }),
    () => ({ status: 500 }),
    sent => silently(sent, { status: 500 }),
    () => gone,
    sent => silently(sent, gone),
  ]
  const provider = await startDecider((request: string) => {
    const sent = JSON.parse(request.split('\r\n\r\n')[1] ?? '') as Taken
    const fault = random() < 1 / 20 ? faults[Math.floor(random() * faults.length)] : undefined
    return (fault ?? take)(sent)
  })
  const driver = (options: Record<string, string> = {}) =>
    httpDriver({
      url: provider.url,
      body: '{"id":"{id}","to":"{destination}","text":"{text}"}',
      ...options,
    })
  return { taken, driver }
}

it('messages through a provider with faults: none lost, none doubled, whole', async () => {
  const { taken, driver } = await faultyProvider()
  const { result, soaked } = await soak(driver(), 'at-most-once', count)
  expect(result).toMatchObject({ handled: count, failed: 0, unreported: 0 })
  expect(result.unknown).toBeGreaterThan(10)
  expect(new Set(taken.map(each => each.id)).size).toBe(taken.length)
  const texts = new Map(taken.map(each => [each.to, each.text]))
  for (const { destination, text, end, message } of soaked) {
    expect(message.status).toBe(end?.event === 'sent' ? 'S' : 'L')
    if (end?.event === 'sent') expect(texts.get(destination)).toBe(text)
  }
}, 300_000)

it('messages through one that knows their ids: all sent, none doubled', async () => {
  const { taken, driver } = await faultyProvider()
  const knowing = driver({ sent: '409', unsure: 'retry' })
  const { result, soaked } = await soak(knowing, 'at-most-once', 100)
  expect(result).toMatchObject({ sent: 100, unknown: 0, unreported: 0 })
  expect(result.failed).toBeGreaterThan(1)
  expect(taken).toHaveLength(100)
  const texts = new Map(taken.map(each => [each.to, each.text]))
  for (const { destination, text, message } of soaked) {
    expect({ status: message.status, text: texts.get(destination) }).toEqual({ status: 'S', text })
  }
}, 300_000)
