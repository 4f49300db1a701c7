import { mkdirSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sendRequest } from '../../../src/net/client/send-request.js'
import { findPorts } from '../../ports/free-ports.js'
import { isInstalled, startGroup, stopGroup } from '../modem/modem-connection.js'

const connections = 32
const maxTries = 200

/** Kannel as a peer of the phone: bearerbox with its spool on disk, and smsbox for sendsms. */
export interface Kannel {
  /** Creates a message; throws if Kannel does not accept it. */
  create(to: string, text: string): Promise<void>
  stop(): Promise<void>
}

/** Whether Kannel is installed. */
export function hasKannel(): boolean {
  return ['bearerbox', 'smsbox'].every(program => isInstalled(program, '--help'))
}

/** Starts Kannel as a client of the SMSC on this port, with so many submit_sm in flight. */
export async function startKannel(
  directory: string,
  smscPort: number,
  window: number,
): Promise<Kannel> {
  const spool = join(directory, 'spool')
  mkdirSync(spool)
  const ports = await findPorts(3)
  const config = join(directory, 'kannel.conf')
  writeFileSync(config, describeKannel({ spool, smscPort, window, ports }))
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const url = `http://127.0.0.1:${ports[2]}/cgi-bin/sendsms`
  const groups = [startGroup('bearerbox', ['-v', '4', config])]
  await waitUntilAnswered(`http://127.0.0.1:${ports[0]}/status`)
  groups.push(startGroup('smsbox', ['-v', '4', config]))
  await waitUntilAnswered(url)
  return {
    async create(to, text) {
      const query = new URLSearchParams({ username: 'u', password: 'p', to, text })
      const outgoing = { method: 'GET', url: `${url}?${query}`, headers: {} }
      const { status } = await sendRequest(outgoing, { agent, resendWhenStale: true })
      if (status !== 202) throw new Error(`Kannel answered ${status}.`)
    },
    async stop() {
      agent.destroy()
      for (const group of groups.reverse()) await stopGroup(group)
    },
  }
}

async function waitUntilAnswered(url: string): Promise<void> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const isAnswered = await sendRequest(
      { method: 'GET', url, headers: {} },
      { agent: false },
    ).then(
      () => true,
      () => false,
    )
    if (isAnswered) return
    await sleep(50)
  }
  throw new Error('Kannel did not start.')
}

interface KannelSettings {
  readonly spool: string
  readonly smscPort: number
  readonly window: number
  readonly ports: readonly number[]
}

function describeKannel({ spool, smscPort, window, ports }: KannelSettings): string {
  const [admin, smsbox, sendsms] = ports
  return `
group = core
admin-port = ${admin}
admin-password = x
smsbox-port = ${smsbox}
box-allow-ip = "127.0.0.1"
dlr-storage = internal
store-type = spool
store-location = ${spool}

group = smsc
smsc = smpp
smsc-id = bench
host = 127.0.0.1
port = ${smscPort}
transceiver-mode = true
smsc-username = "bench"
smsc-password = "sesame"
system-type = ""
interface-version = 34
max-pending-submits = ${window}

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = ${sendsms}
global-sender = 13013

group = sendsms-user
username = u
password = p

group = sms-service
keyword = default
text = "No service"
max-messages = 0
`
}
