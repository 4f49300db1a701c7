import type { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { createSeededRandom } from '../../../../src/util/crypto/seeded-random.js'
import { soak, soakCount } from '../soak-rig.js'
import { httpDriver, type Reply, startDecider } from './provider.js'

const count = soakCount

interface AcceptedText {
  readonly id: string
  readonly to: string
  readonly text: string
}

/** Starts a provider that accepts each id once, with a fault in about fifteen requests. */
async function startFaultyProvider() {
  const random = createSeededRandom(5)
  const accepted: AcceptedText[] = []
  const known = new Set<string>()
  const accept = (sent: AcceptedText): Reply => {
    if (known.has(sent.id)) return { status: 409, body: '{"message":"Conflict"}' }
    known.add(sent.id)
    accepted.push(sent)
    return { status: 202, body: '{}' }
  }
  const acceptWith = (sent: AcceptedText, reply: Reply): Reply => {
    accept(sent)
    return reply
  }
  const hangUp = (socket: Socket) => socket.destroy()
  const faults: readonly ((sent: AcceptedText) => Reply)[] = [
    () => ({ status: 429, headers: { 'Retry-After': '1' } }),
    () => ({ status: 500 }),
    sent => acceptWith(sent, { status: 500 }),
    () => hangUp,
    sent => acceptWith(sent, hangUp),
  ]
  const provider = await startDecider((request: string) => {
    const sent = JSON.parse(request.split('\r\n\r\n')[1] ?? '') as AcceptedText
    const fault = random() < 15 / count ? faults[Math.floor(random() * faults.length)] : undefined
    return (fault ?? accept)(sent)
  })
  const driver = (options: Record<string, string> = {}) =>
    httpDriver({
      url: provider.url,
      body: '{"id":"{id}","to":"{destination}","text":"{text}"}',
      ...options,
    })
  return { accepted, driver }
}

it('through a provider with faults no message is lost, doubled or changed', async () => {
  const { accepted, driver } = await startFaultyProvider()
  const { result, soaked } = await soak(driver(), 'at-most-once', count)
  expect(result).toMatchObject({ handled: count, failed: 0, unreported: 0 })
  expect(result.unknown).toBeGreaterThan(5)
  expect(new Set(accepted.map(each => each.id)).size).toBe(accepted.length)
  const texts = new Map(accepted.map(each => [each.to, each.text]))
  for (const { destination, text, end, message } of soaked) {
    expect(message.status).toBe(end?.event === 'sent' ? 'S' : 'L')
    if (end?.event === 'sent') expect(texts.get(destination)).toBe(text)
  }
}, 300_000)

it('through a provider that knows the ids all messages are sent once', async () => {
  const { accepted, driver } = await startFaultyProvider()
  const withIds = driver({ sent: '409', unsure: 'retry' })
  const { result, soaked } = await soak(withIds, 'at-most-once', 100)
  expect(result).toMatchObject({ sent: 100, unknown: 0, unreported: 0 })
  expect(result.failed).toBeGreaterThan(1)
  expect(accepted).toHaveLength(100)
  const texts = new Map(accepted.map(each => [each.to, each.text]))
  for (const { destination, text, message } of soaked) {
    expect({ status: message.status, text: texts.get(destination) }).toEqual({ status: 'S', text })
  }
}, 300_000)
