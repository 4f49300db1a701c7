import { digest } from '../../../util/crypto/secrets.js'
import type { DriverListener } from '../../driver-port/driver.js'
import { inWords } from '../program/external-program.js'
import { jsonOf, wordIn } from '../program/inbox-polling.js'
import type { Ended } from '../program/run-program.js'

/** Runs mmcli; resolves to what it said. */
export type RunMmcli = (args: readonly string[]) => Promise<Ended>

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
  const found: unknown = jsonOf(list, inWords('mmcli', list))
  const paths: unknown = Reflect.get(Object(found), 'modem.messaging.sms')
  for (const path of Array.isArray(paths) ? paths.map(String) : []) {
    const shown = await run(['-s', path, '-J'])
    const sms = jsonOf(shown, inWords('mmcli', shown))
    // Of one in parts that are not all there it says `receiving`.
    if (wordIn(sms, 'sms', 'properties', 'state') !== 'received') continue
    await listener.received(textOf(sms))
    await run(['-m', modem, `--messaging-delete-sms=${path}`])
  }
}

/** Paths are given anew when ModemManager starts again, so the text itself tells which it is. */
function textOf(sms: unknown) {
  const from = wordIn(sms, 'sms', 'content', 'number')
  const text = wordIn(sms, 'sms', 'content', 'text')
  const timestamp = wordIn(sms, 'sms', 'properties', 'timestamp')
  const at = Date.parse(timestamp.replace(/([+-]\d\d)$/, '$1:00'))
  const ref = digest(JSON.stringify([from, text, timestamp]))
  return { from, text: text === '--' ? '' : text, at: Number.isNaN(at) ? 0 : at, ref }
}
