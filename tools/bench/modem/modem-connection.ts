import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SerialPort } from 'serialport'
import type { ScriptedModem } from '../../../test/phone/drivers/modem/scripted-modem.js'
import { listenOnLoopback } from '../../ports/listen-on-loopback.js'

/** The connection of a sender to the modem. */
export interface ModemConnection {
  readonly device: string
  close(): Promise<void>
}

/** Whether a program is on PATH. */
export function isInstalled(program: string, argument: string): boolean {
  return spawnSync(program, [argument], { stdio: 'ignore' }).error === undefined
}

/** A TCP port of this machine. */
export async function connectOverTcp(modem: ScriptedModem): Promise<ModemConnection> {
  const server = createServer({ noDelay: true }, socket => modem.attach(socket))
  return {
    device: `tcp://127.0.0.1:${await listenOnLoopback(server)}`,
    async close() {
      modem.hangUp()
      server.close()
    },
  }
}

/** A pair of serial devices of socat, with the modem at one end. */
export async function connectOverPty(
  modem: ScriptedModem,
  folder: string,
): Promise<ModemConnection> {
  const [device, far] = [join(folder, 'near'), join(folder, 'far')]
  const ends = [device, far].map(link => `pty,raw,echo=0,link=${link}`)
  const socat = startGroup('socat', ends)
  for (let tries = 0; !(existsSync(device) && existsSync(far)); tries += 1) {
    if (tries > 100) throw new Error('socat did not create the devices.')
    await sleep(50)
  }
  const port = new SerialPort({ path: far, baudRate: 115_200 })
  await once(port, 'open')
  modem.attach(port)
  return {
    device,
    async close() {
      await new Promise(resolve => port.close(resolve))
      await stopGroup(socat)
    },
  }
}

/** Starts a program in a process group that ends with this process. */
export function startGroup(program: string, args: readonly string[]): ChildProcess {
  const child = spawn(program, args, { stdio: 'ignore', detached: true })
  const last = () => killGroup(child)
  process.once('exit', last)
  child.once('exit', () => process.removeListener('exit', last))
  return child
}

/** Ends the process group and waits for its end. */
export async function stopGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  killGroup(child)
  await gone
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid)
  } catch {
    // It has already ended.
  }
}
