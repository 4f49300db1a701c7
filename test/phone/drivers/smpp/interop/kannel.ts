import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { SmsAlphabet } from '../../../../../src/domain/sms/sms-parts.js'
import { findPorts } from '../../../../../tools/ports/free-ports.js'
import { startKannelBoxes } from '../../kannel-rig.js'

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
  const [sendsmsPort = 0] = await findPorts(1)
  const account = ['smsc-username = "relay"', 'smsc-password = "sesame"', 'system-type = ""']
  const bearerbox = await startKannelBoxes({
    sendsmsPort,
    smsc: [
      ...['smsc = smpp', 'smsc-id = relay', 'host = 127.0.0.1', `port = ${smscPort}`],
      ...['transceiver-mode = true', ...account, 'interface-version = 34'],
    ],
    smsbox: ['global-sender = 13013'],
    service: ['text = "No service"'],
  })
  /** Sends a text; throws if Kannel does not accept it. */
  const sendText = async (to: string, text: string, alphabet: SmsAlphabet): Promise<void> => {
    const coding = alphabet === 'GSM-7' ? '0' : '2'
    const fields = { username: 'u', password: 'p', charset: 'UTF-8', coding, to, text }
    const query = new URLSearchParams(fields)
    const reply = await fetch(`http://127.0.0.1:${sendsmsPort}/cgi-bin/sendsms?${query}`)
    const body = await reply.text()
    if (reply.status !== 202) throw new Error(`Kannel answered ${reply.status}: ${body}`)
  }
  return { sendText, bearerbox }
}
