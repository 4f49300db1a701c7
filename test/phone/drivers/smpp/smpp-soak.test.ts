import { expect, it } from 'vitest'
import { createSeededRandom } from '../../../../src/util/crypto/seeded-random.js'
import { soak, soakCount } from '../soak-rig.js'
import {
  type Act,
  acceptAndHangUp,
  answerAndHangUp,
  createSmppDriver,
  hangUp,
  keepSilent,
  reject,
  Smsc,
} from './smsc.js'

const count = soakCount

/** An act with faults for about ten submits in all; `full` hears of each full queue. */
function createFaultyAct(smsc: Smsc, full: () => void): Act {
  const random = createSeededRandom(20_261_121)
  const accept = smsc.otherwise
  const refuse = reject(0x14)
  const rejectFull: Act = (...of) => {
    full()
    refuse(...of)
  }
  const faults: readonly Act[] = [
    ...[reject(0x58), reject(0x58), rejectFull, hangUp, acceptAndHangUp, answerAndHangUp],
    ...[keepSilent, delay(accept), delay(accept), delay(accept)],
  ]
  return (submit, session, server) => {
    const act = random() < 10 / count ? faults[Math.floor(random() * faults.length)] : accept
    act?.(submit, session, server)
  }
}

/** Answers after later submits. */
function delay(act: Act): Act {
  return (submit, session, smsc) => {
    setTimeout(() => act(submit, session, smsc), 30)
  }
}

it('through an SMSC with faults no message is lost, doubled or changed', async () => {
  const smsc = await Smsc.start()
  let failed = 0
  smsc.otherwise = createFaultyAct(smsc, () => {
    failed += 1
  })
  const driver = createSmppDriver(smsc, { window: '10', timeout: '2' })
  const { result, soaked } = await soak(driver, 'at-most-once', count)
  expect(result).toMatchObject({ handled: count + failed, failed, unreported: 0 })
  expect(result.unknown).toBeGreaterThan(1)
  expect(result.unknown).toBeLessThan(count / 4)
  expect(smsc.binds.length).toBeGreaterThan(1)
  const parts = groupByDestination(smsc)
  for (const { destination, text, end, message } of soaked) {
    const accepted = parts.get(destination) ?? []
    expect({ destination, status: message.status }).toEqual({
      ...{ destination, status: end?.event === 'sent' ? 'S' : 'L' },
    })
    expect(new Set(accepted.map(each => each.header)).size).toBe(accepted.length)
    if (end?.event !== 'sent') continue
    const sorted = accepted.toSorted((a, b) => a.header.localeCompare(b.header))
    expect(sorted.map(each => each.text).join('')).toBe(text)
    expect(end.parts).toBe(accepted.length)
  }
}, 300_000)

/** The accepted parts of each destination; a part that was sent twice is there twice. */
function groupByDestination(smsc: Smsc) {
  const all = new Map<string, { header: string; text: string }[]>()
  for (const { destination_addr: to, short_message: field } of smsc.accepted) {
    const { message, udh } = field as { message: string; udh?: Buffer[] }
    const header = (udh ?? []).map(each => each.toString('hex')).join()
    const key = `+${String(to)}`
    all.set(key, [...(all.get(key) ?? []), { header, text: message }])
  }
  return all
}
