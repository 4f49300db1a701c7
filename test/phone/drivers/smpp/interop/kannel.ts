import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { SmsAlphabet } from '../../../../../src/domain/sms/sms-parts.js'
import { temporaryFolder } from '../../../../temporary-folder.js'
import { listen } from '../smpp-line.js'
import { startProgram } from './programs.js'

/** Whether Kannel is installed; prints what is skipped if it is not. */
export function hasKannel(): boolean {
  const isFound = ['bearerbox', 'smsbox'].every(
    program => spawnSync(program, ['--help'], { stdio: 'ignore' }).error === undefined,
  )
  if (!isFound) console.warn('Kannel is not installed (apt install kannel): its test is skipped.')
  return isFound
}

/** Kannel's test SMSC; undefined if it is not installed. */
export function findDriveSmpp(): string | undefined {
  const path = '/usr/lib/kannel/test/drive_smpp'
  if (existsSync(path)) return path
  console.warn('drive_smpp is not installed (apt install kannel-extras): its test is skipped.')
  return undefined
}

/** Starts Kannel as an ESME of the SMSC on this port. */
export async function startKannel(smscPort: number) {
  const ports = await findPorts()
  const config = join(await temporaryFolder(), 'kannel.conf')
  await writeFile(config, describeKannel(smscPort, ports))
  const bearerbox = startProgram('bearerbox', [config])
  await bearerbox.waitForLine(/MAIN: Start-up done/)
  const smsbox = startProgram('smsbox', [config])
  await smsbox.waitForLine(/Connected to bearerbox/)
  /** Sends a text; throws if Kannel does not accept it. */
  const sendText = async (to: string, text: string, alphabet: SmsAlphabet): Promise<void> => {
    const coding = alphabet === 'GSM-7' ? '0' : '2'
    const fields = { username: 'u', password: 'p', charset: 'UTF-8', coding, to, text }
    const query = new URLSearchParams(fields)
    const reply = await fetch(`http://127.0.0.1:${ports[2]}/cgi-bin/sendsms?${query}`)
    const body = await reply.text()
    if (reply.status !== 202) throw new Error(`Kannel answered ${reply.status}: ${body}`)
  }
  return { sendText, bearerbox }
}

/** Finds three free ports: all are opened before one is closed, so that none occurs twice. */
async function findPorts(): Promise<readonly number[]> {
  const opened = await Promise.all([1, 2, 3].map(async () => await listen(createServer())))
  await Promise.all(opened.map(async ({ close }) => await close()))
  return opened.map(({ port }) => port)
}

function describeKannel(smscPort: number, ports: readonly number[]): string {
  const [admin, smsbox, sendsms] = ports
  return `
group = core
admin-port = ${admin}
admin-password = x
smsbox-port = ${smsbox}
box-allow-ip = "127.0.0.1"
dlr-storage = internal

group = smsc
smsc = smpp
smsc-id = relay
host = 127.0.0.1
port = ${smscPort}
transceiver-mode = true
smsc-username = "relay"
smsc-password = "sesame"
system-type = ""
interface-version = 34

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = ${sendsms}
global-sender = 13013

group = sendsms-user
username = u
password = p
max-messages = 20
concatenation = true

group = sms-service
keyword = default
text = "No service"
max-messages = 0
`
}
