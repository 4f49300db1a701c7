import { hashText } from '../../../util/crypto/secrets.js'
import type { DriverListener } from '../../driver-port/driver.js'
import { describeResult } from '../program/external-program.js'
import { parseJsonOutput, readText } from '../program/inbox-polling.js'
import type { ProgramResult } from '../program/run-program.js'

/** Runs mmcli; resolves to what it said. */
export type RunMmcli = (args: readonly string[]) => Promise<ProgramResult>

/**
 * Tells of the texts that ModemManager has received, and deletes each once it is kept: a modem has room for few. Throws
 * `trouble`.
 */
export async function readMmcliInbox(
  run: RunMmcli,
  modem: string,
  listener: DriverListener,
): Promise<void> {
  const list = await run(['-m', modem, '--messaging-list-sms', '-J'])
  const found: unknown = parseJsonOutput(list, describeResult('mmcli', list))
  const paths: unknown = Reflect.get(Object(found), 'modem.messaging.sms')
  for (const path of Array.isArray(paths) ? paths.map(String) : []) {
    const shown = await run(['-s', path, '-J'])
    const sms = parseJsonOutput(shown, describeResult('mmcli', shown))
    // Of one in parts that are not all there it says `receiving`.
    if (readText(sms, 'sms', 'properties', 'state') !== 'received') continue
    await listener.onText(toIncomingText(sms))
    await run(['-m', modem, `--messaging-delete-sms=${path}`])
  }
}

/** Paths are given anew when ModemManager starts again, so the text itself tells which it is. */
function toIncomingText(sms: unknown) {
  const from = readText(sms, 'sms', 'content', 'number')
  const text = readText(sms, 'sms', 'content', 'text')
  const timestamp = readText(sms, 'sms', 'properties', 'timestamp')
  const at = Date.parse(timestamp.replace(/([+-]\d\d)$/, '$1:00'))
  const ref = hashText(JSON.stringify([from, text, timestamp]))
  return { from, text: text === '--' ? '' : text, at: Number.isNaN(at) ? 0 : at, ref }
}
