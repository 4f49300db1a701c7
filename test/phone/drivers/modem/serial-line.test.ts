import { once } from 'node:events'
import { readlink, rm, symlink } from 'node:fs/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createDriver } from '../../../../src/phone/drivers/driver-registry.js'
import { createLineOpener } from '../../../../src/phone/drivers/modem/serial-line.js'
import type { SerialPortEntry } from '../../../../src/phone/drivers/modem/serial-ports.js'
import { ScriptedModem } from './scripted-modem.js'
import { attachSerial, hasSocat } from './serial-pair.js'
import { createModemClock } from './serve-modem.js'

const never = new AbortController().signal
const message = { id: 'm1', destination: '+12025550123', text: 'Hello' }

/** Opens a device and sends AT to its modem; returns the modem's answer. */
async function askThrough(open: ReturnType<typeof createLineOpener>): Promise<string> {
  const line = await open(never)
  line.stream.setEncoding('latin1').write('AT\r')
  const [answer] = await once(line.stream, 'data')
  await line.close()
  return String(answer)
}

describe.skipIf(!hasSocat)('a serial device (needs socat)', () => {
  it('is closed after a silence, and opened again', async () => {
    const clock = createModemClock()
    const modem = new ScriptedModem({
      react: (_, n) => (n === 0 ? { goes: 'silent', sent: false } : 'ok'),
    })
    modem.onIgnored = () => setImmediate(() => clock.advance(60_000))
    const driver = createDriver('modem', { device: await attachSerial(modem) }, { clock })
    onTestFinished(async () => await driver[Symbol.asyncDispose]())
    await expect(driver.send(message, never)).rejects.toMatchObject({ kind: 'unknown' })
    expect(await driver.send(message, never)).toEqual({ parts: 1 })
  })

  it('is free again once the driver is closed', async () => {
    const device = await attachSerial(new ScriptedModem())
    for (let time = 0; time < 3; time += 1) {
      await using driver = createDriver('modem', { device })
      expect(await driver.send(message, never)).toEqual({ parts: 1 })
    }
  })

  it('is found by its id, and under another name when it returns', async () => {
    const [one, other] = [
      await attachSerial(new ScriptedModem()),
      `${await attachSerial(new ScriptedModem())}`,
    ]
    const id = 'usb-Example_Modem_0123456789-if02-port0'
    let ports: SerialPortEntry[] = [{ path: one, ids: [id, '0123456789'] }]
    const openers = [one, `serial:${id}`, 'serial:0123456789'].map(device =>
      createLineOpener(device, 115_200, async () => ports),
    )
    for (const open of openers) expect(await askThrough(open)).toContain('OK')
    // The modem is now at another path, and another device has taken its place.
    ports = [
      { path: one, ids: ['usb-Other-if00'] },
      { path: other, ids: [id, '0123456789'] },
    ]
    const before = await readlink(one)
    await rm(one)
    for (const open of openers) expect(await askThrough(open)).toContain('OK')
    await symlink(before, one)
    ports = [{ path: one, ids: ['usb-Other-if00'] }]
    for (const open of openers)
      await expect(open(never)).rejects.toThrow(/No serial port has the id/)
  })
})

describe('a serial device', () => {
  const ports: SerialPortEntry[] = [
    { path: '/dev/no-1', ids: ['usb-Example-if00', '7'] },
    { path: '/dev/no-2', ids: ['usb-Example-if02', '7'] },
    { path: '/dev/no-3', ids: [] },
  ]

  it.each([
    ['serial:x', /No serial port has the id x\..*serial:usb-Example-if00, serial:usb-Example-if02/],
    ['serial:7', /Several serial ports have the id 7;.*serial:usb-Example-if02, \/dev\/no-3/],
    ['/dev/no-4', /\/dev\/no-4 cannot be opened .*Ports: serial:usb-Example-if00/],
  ])('%s that cannot be opened is trouble that names the others', async (device, words) => {
    const open = createLineOpener(device, 115_200, async () => ports)
    await expect(open(never)).rejects.toMatchObject({
      kind: 'trouble',
      message: expect.stringMatching(words),
    })
  })
})
