import { hashText } from '../../../util/crypto/secrets.js'
import type { DriverListener, IncomingText } from '../../driver-port/driver.js'
import { describeResult } from '../program/external-program.js'
import { parseJsonOutput, readText } from '../program/inbox-polling.js'
import type { ProgramResult } from '../program/run-program.js'

/** Runs mmcli. */
type RunMmcli = (args: readonly string[]) => Promise<ProgramResult>

/** Reads the texts in ModemManager and deletes each once it is stored. Throws `trouble`. */
export async function readMmcliInbox(
  run: RunMmcli,
  modem: string,
  listener: DriverListener,
): Promise<void> {
  const list = await run(['-m', modem, '--messaging-list-sms', '-J'])
  const parsed: unknown = parseJsonOutput(list, describeResult('mmcli', list))
  const paths: unknown = Reflect.get(Object(parsed), 'modem.messaging.sms')
  for (const path of Array.isArray(paths) ? paths.map(String) : []) {
    const shown = await run(['-s', path, '-J'])
    const sms = parseJsonOutput(shown, describeResult('mmcli', shown))
    // A text with missing parts is in the state `receiving`.
    if (readText(sms, 'sms', 'properties', 'state') !== 'received') continue
    await listener.onText(toIncomingText(sms))
    await run(['-m', modem, `--messaging-delete-sms=${path}`])
  }
}

function toIncomingText(sms: unknown): IncomingText {
  const from = readText(sms, 'sms', 'content', 'number')
  const text = readText(sms, 'sms', 'content', 'text')
  const timestamp = readText(sms, 'sms', 'properties', 'timestamp')
  const at = Date.parse(timestamp.replace(/([+-]\d\d)$/, '$1:00'))
  // ModemManager reuses paths after a restart, so the text itself identifies it.
  const ref = hashText(JSON.stringify([from, text, timestamp]))
  return { from, text: text === '--' ? '' : text, at: Number.isNaN(at) ? 0 : at, ref }
}
