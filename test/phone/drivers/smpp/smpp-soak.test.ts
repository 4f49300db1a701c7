import { expect, it } from 'vitest'
import { createSeededRandom } from '../../../../src/util/crypto/seeded-random.js'
import { soak, soakCount } from '../soak-rig.js'
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

const count = soakCount

/** One of thirty submits meets a fault. */
function faulty(smsc: Smsc): Act {
  const random = createSeededRandom(20_261_121)
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

it('messages through an SMSC with faults: none lost, none doubled, whole', async () => {
  const smsc = await Smsc.start()
  smsc.otherwise = faulty(smsc)
  const driver = driverTo(smsc, { window: '10', timeout: '2' })
  const { result, soaked } = await soak(driver, 'at-most-once', count)
  expect(result).toMatchObject({ handled: count, failed: 0, unreported: 0 })
  expect(result.unknown).toBeGreaterThan(3)
  expect(result.unknown).toBeLessThan(count / 4)
  expect(smsc.binds.length).toBeGreaterThan(1)
  const parts = gathered(smsc)
  for (const { destination, text, end, message } of soaked) {
    const taken = parts.get(destination) ?? []
    expect({ destination, status: message.status }).toEqual({
      ...{ destination, status: end?.event === 'sent' ? 'S' : 'L' },
    })
    expect(new Set(taken.map(each => each.header)).size).toBe(taken.length)
    if (end?.event !== 'sent') continue
    const whole = taken.toSorted((a, b) => a.header.localeCompare(b.header))
    expect(whole.map(each => each.text).join('')).toBe(text)
    expect(end.parts).toBe(taken.length)
  }
}, 300_000)

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
