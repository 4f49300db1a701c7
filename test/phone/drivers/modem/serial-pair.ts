import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SerialPort } from 'serialport'
import { expect, onTestFinished } from 'vitest'
import type { ScriptedModem } from './scripted-modem.js'

export const hasSocat = spawnSync('socat', ['-V']).status === 0

/** Creates two serial devices that are the ends of one line. */
async function createSerialPair(): Promise<{ near: string; far: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'smsrelay-pty-'))
  const [near, far] = [join(folder, 'near'), join(folder, 'far')]
  const ends = [near, far].map(link => `pty,raw,echo=0,link=${link}`)
  const socat: ChildProcess = spawn('socat', ends, { stdio: 'ignore' })
  const exited = once(socat, 'exit')
  onTestFinished(async () => {
    socat.kill()
    await exited
    await rm(folder, { recursive: true, force: true })
  })
  const exists = (path: string) => stat(path).then(Boolean, () => false)
  await expect.poll(async () => (await exists(near)) && (await exists(far))).toBe(true)
  return { near, far }
}

/** Connects a modem to a serial device until the end of the test; returns the device's path. */
export async function attachSerial(modem: ScriptedModem): Promise<string> {
  const { near, far } = await createSerialPair()
  const port = new SerialPort({ path: far, baudRate: 115_200, autoOpen: false })
  await new Promise<void>((resolve, reject) => {
    port.open(error => (error === null ? resolve() : reject(error)))
  })
  onTestFinished(() => new Promise<void>(resolve => port.close(() => resolve())))
  modem.attach(port)
  return near
}
