import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { onTestFinished } from 'vitest'
import type { DriverContext } from '../../../../src/phone/driver-port/driver-options.js'
import { createDriver } from '../../../../src/phone/drivers/driver-registry.js'
import { FakeClock } from '../../../util/async/fake-clock.js'
import { type Script, ScriptedModem } from './scripted-modem.js'

/** Serves a modem on a port of this machine; returns its `device`. */
export async function serveModem(modem: ScriptedModem): Promise<string> {
  const server: Server = createServer({ noDelay: true }, socket => modem.attach(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    modem.hangUp()
    server.close()
    await once(server, 'close')
  })
  return `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The driver of a modem with this script, until the end of the test. */
export async function openModem(
  script: Script = {},
  options: Record<string, string> = {},
  context: Partial<DriverContext> = {},
) {
  const modem = new ScriptedModem(script)
  const driver = createDriver('modem', { device: await serveModem(modem), ...options }, context)
  onTestFinished(async () => await driver[Symbol.asyncDispose]())
  return { modem, driver }
}

/** A clock that a test moves; only the short waits for answers that may be late pass without it. */
export function createModemClock(): FakeClock {
  const clock = new FakeClock()
  const { after } = clock
  const shortAfter = (milliseconds: number, run: () => void): (() => void) => {
    if (milliseconds > 300) return after(milliseconds, run)
    const timer = setTimeout(run, 1)
    return () => clearTimeout(timer)
  }
  return Object.assign(clock, { after: shortAfter })
}
