import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { onTestFinished } from 'vitest'
import type { ScriptedModem } from './scripted-modem.js'

/** Puts a modem behind a port of this machine; gives the `device` to use it by. */
export async function overTcp(modem: ScriptedModem): Promise<string> {
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
