import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findPorts } from '../../../tools/ports/free-ports.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { startProgram } from './smpp/interop/programs.js'

interface KannelSettings {
  readonly sendsmsPort: number
  /** Settings of the group smsc. */
  readonly smsc: readonly string[]
  /** Further settings of the group smsbox. */
  readonly smsbox?: readonly string[]
  /** Settings of the group sms-service. */
  readonly service: readonly string[]
}

/** Starts Kannel with an account `u` and its password `p` for sendsms. */
export async function startKannelBoxes(settings: KannelSettings) {
  const config = join(await temporaryFolder(), 'kannel.conf')
  await writeFile(config, describeKannel(settings, await findPorts(2)))
  const bearerbox = startProgram('bearerbox', [config])
  await bearerbox.waitForLine(/MAIN: Start-up done/)
  await startProgram('smsbox', [config]).waitForLine(/Connected to bearerbox/)
  return bearerbox
}

function describeKannel(
  { sendsmsPort, smsc, smsbox = [], service }: KannelSettings,
  [adminPort, smsboxPort]: readonly number[],
): string {
  const own = ['bearerbox-host = 127.0.0.1', `sendsms-port = ${sendsmsPort}`]
  return `
group = core
admin-port = ${adminPort}
admin-password = x
smsbox-port = ${smsboxPort}
box-allow-ip = "127.0.0.1"
dlr-storage = internal

group = smsc
${smsc.join('\n')}

group = smsbox
${[...own, ...smsbox].join('\n')}

group = sendsms-user
username = u
password = p
max-messages = 20
concatenation = true

group = sms-service
keyword = default
max-messages = 0
${service.join('\n')}
`
}
