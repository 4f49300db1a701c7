import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDriver } from '../../../src/phone/drivers/driver-registry.js'
import { startGroup, stopGroup } from './modem-connection.js'

const number = '12025550123'

/** Runs the driver `modem` for some seconds, one text after the other. */
export async function sendByDriver(device: string, seconds: number): Promise<void> {
  await using driver = createDriver('modem', { device })
  const { signal } = new AbortController()
  const until = performance.now() + seconds * 1000
  for (let id = 0; performance.now() < until; id += 1) {
    await driver.send({ id: `${id}`, destination: `+${number}`, text: `Text ${id}` }, signal)
  }
}

/** Runs the daemon of smstools for some seconds, with enough texts in its spool. */
export async function sendBySmstools(
  device: string,
  folder: string,
  seconds: number,
): Promise<void> {
  const spool = (name: string) => join(folder, name)
  const folders = ['outgoing', 'checked', 'failed', 'incoming', 'sent']
  for (const name of folders) mkdirSync(spool(name))
  for (let id = 0; id < seconds * 20; id += 1) {
    writeFileSync(join(spool('outgoing'), `text-${id}`), `To: ${number}\n\nText ${id}\n`)
  }
  const settings = [
    'devices = GSM1',
    ...folders.map(name => `${name} = ${spool(name)}`),
    `logfile = ${spool('log')}`,
    `infofile = ${spool('info')}`,
    `pidfile = ${spool('pid')}`,
    'loglevel = 5',
    `[GSM1]\ndevice = ${device}\nincoming = no\n`,
  ]
  writeFileSync(spool('smsd.conf'), settings.join('\n'))
  const daemon = startGroup('smsd', ['-t', `-c${spool('smsd.conf')}`])
  await sleep(seconds * 1000)
  await stopGroup(daemon)
}
