import { createDriver } from '../../../src/phone/drivers/driver-registry.js'
import { getMedian } from '../../report/median.js'
import type { Bench } from '../bench.js'
import type { Figure } from '../report/figure.js'

const count = 20_000
const window = 100

/** Measures the processor time of a text through the driver `smpp`, with codec and socket. */
export async function measureSmppDriver({ options, children }: Bench): Promise<Figure[]> {
  const smsc = await children.smsc()
  const measured: number[] = []
  try {
    for (let round = 0; round < options.rounds + 1; round += 1) {
      measured.push(await measureTexts(smsc.port))
    }
  } finally {
    await smsc.stop()
  }
  const value = getMedian(measured.slice(1))
  return [{ row: 'smpp: processor time of a text', value, unit: 'µs', target: { most: 40 } }]
}

/** Microseconds of processor time of each text. */
async function measureTexts(port: number): Promise<number> {
  const given = { host: '127.0.0.1', port: String(port), 'system-id': 'bench', source: 'Acme' }
  const env = { SMSRELAY_SMPP_PASSWORD: 'sesame' }
  await using driver = createDriver('smpp', { ...given, window: String(window) }, { env })
  const { signal } = new AbortController()
  let sent = 0
  const send = async (): Promise<void> => {
    while (sent < count) {
      sent += 1
      const destination = `+1202555${String(sent).padStart(4, '0').slice(-4)}`
      const text = `Your parcel ${sent} arrives today between 2 and 4 pm. Reply STOP to opt out.`
      await driver.send({ id: String(sent), destination, text }, signal)
    }
  }
  await driver.health?.()
  const from = process.cpuUsage()
  await Promise.all(Array.from({ length: window }, send))
  const { user, system } = process.cpuUsage(from)
  return (user + system) / count
}
