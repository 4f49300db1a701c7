import { expect, it, onTestFinished } from 'vitest'
import { countSmsParts } from '../../../../src/domain/sms/sms-parts.js'
import { createDriver } from '../../../../src/phone/drivers/driver-registry.js'
import { createSeededRandom } from '../../../../src/util/crypto/seeded-random.js'
import { setUp } from '../../relay-rig.js'
import { soakCount } from '../soak-rig.js'
import type { Submit } from './read-submit.js'
import { type Reaction, ScriptedModem } from './scripted-modem.js'
import { attachSerial, hasSocat } from './serial-pair.js'
import { serveModem } from './serve-modem.js'

const faults: readonly Reaction[] = [
  { says: '+CMS ERROR: 42' },
  { says: '+CMS ERROR: 500' },
  { says: 'ERROR' },
  { goes: 'hangs up', sent: false },
  { goes: 'hangs up', sent: true },
]

/** A modem with faults at the given rate, echoes and unsolicited lines. */
function createFaultyModem(seed: number, rate: number): ScriptedModem {
  const random = createSeededRandom(seed)
  const react = (): Reaction =>
    random() < rate ? (faults[Math.floor(random() * faults.length)] ?? 'ok') : 'ok'
  return new ScriptedModem({ react, says: ['+CREG: 1', '+CMTI: "SM",1'], echoes: true })
}

/** The texts of which all parts were sent. */
function joinParts(sent: readonly Submit[]): string[] {
  const texts: string[] = []
  let parts: string[] = []
  for (const { text, place } of sent) {
    parts = place === undefined || place.number === 1 ? [text] : [...parts, text]
    if (place === undefined || place.number === place.count) texts.push(parts.join(''))
  }
  return texts
}

async function sendAll(modem: ScriptedModem, device: string, count: number) {
  let ahead = 0
  const world = await setUp({ mode: 'at-most-once' }, 86_400, () => Date.now() + ahead)
  const driver = createDriver('modem', { device, timeout: '5' })
  onTestFinished(async () => await driver[Symbol.asyncDispose]())
  const random = createSeededRandom(count)
  const texts = Array.from({ length: count }, (_, at) => {
    const tail = random() < 0.1 ? ' €[你]'.repeat(1 + Math.floor(random() * 30)) : ''
    return `text ${at}${tail}`
  })
  const messages = await Promise.all(texts.map(text => world.send(text)))
  let parts = 0
  const phone = world.phone(driver, {
    wait: 1,
    onEvent: event => {
      if (event.event === 'sent') parts += event.parts
    },
  })
  const waiting = async () => {
    ahead += 60_000
    return (await world.client.messages.list({ count: 1 })).length
  }
  await expect.poll(waiting, { timeout: 100_000, interval: 100 }).toBe(0)
  await phone.finish()
  const ended = await Promise.all(messages.map(({ id }) => world.client.messages.get(id)))
  return { ended, texts, parts, arrived: joinParts(modem.sent) }
}

function countFaults({ ended, texts, parts, arrived }: Awaited<ReturnType<typeof sendAll>>) {
  const times = new Map<string, number>()
  for (const text of arrived) times.set(text, (times.get(text) ?? 0) + 1)
  const sent = ended.filter(({ status }) => status === 'S')
  const decided = ended.filter(({ status }) => status === 'S' || status === 'L')
  return {
    lost: ended.length - decided.length + sent.filter(each => !times.has(each.message)).length,
    doubled: [...times.values()].filter(count => count > 1).length,
    wrong: arrived.filter(text => !texts.includes(text)).length,
    parts: parts - sent.reduce((sum, each) => sum + countSmsParts(each.message).parts, 0),
    sent: sent.length,
  }
}

it('through a faulty modem no text is lost or doubled, and parts are counted right', async () => {
  const modem = createFaultyModem(7, 0.05)
  const seen = countFaults(await sendAll(modem, await serveModem(modem), soakCount))
  expect(seen).toMatchObject({ lost: 0, doubled: 0, wrong: 0, parts: 0 })
  expect(seen.sent).toBeGreaterThan(soakCount * 0.9)
})

it.skipIf(!hasSocat)(
  'texts are sent through a serial device (needs socat)',
  async () => {
    const modem = new ScriptedModem({ echoes: true, says: ['RING'] })
    const near = await attachSerial(modem)
    const seen = countFaults(await sendAll(modem, near, 50))
    expect(seen).toEqual({ lost: 0, doubled: 0, wrong: 0, parts: 0, sent: 50 })
  },
  60_000,
)
