import { hashText } from '../../../util/crypto/secrets.js'
import {
  type DeliveryReceipt,
  DriverError,
  type DriverListener,
  type IncomingText,
} from '../../driver-port/driver.js'
import { createNetworkId } from '../../driver-port/network-id.js'
import { describeResult, hasSucceeded } from '../program/external-program.js'
import type { ProgramResult } from '../program/run-program.js'
import { parseKeyValues, parsePathList } from './mmcli-output.js'

type RunMmcli = (args: readonly string[]) => Promise<ProgramResult>
type SmsValues = ReadonlyMap<string, string>

/**
 * Reads the texts and receipts in ModemManager and deletes each once it is stored. Throws
 * `trouble`.
 */
export async function readMmcliInbox(
  run: RunMmcli,
  modem: string,
  listener: DriverListener,
): Promise<void> {
  let own: Promise<string | undefined> | undefined
  const list = await runOrThrow(run, ['-m', modem, '--messaging-list-sms', '-K'])
  let unread: ProgramResult | undefined
  for (const path of parsePathList(list)) {
    const shown = await run(['-s', path, '-K'])
    // One that cannot be read does not hold back those behind it.
    if (!hasSucceeded(shown)) unread ??= shown
    const sms = parseKeyValues(hasSucceeded(shown) ? shown.stdout : '')
    // In ModemManager, a text with missing parts is in the state `receiving`.
    if (sms.get('sms.properties.state') !== 'received') continue
    if (sms.get('sms.properties.pdu-type') === 'status-report') {
      await listener.onReceipt(toReceipt(sms))
    } else if (sms.has('sms.content.text') || sms.has('sms.content.data')) {
      own ??= readOwnNumber(run, modem)
      await listener.onText(toIncomingText(sms, await own))
    } else {
      listener.onIgnored?.({ from: sms.get('sms.content.number') ?? '', content: 'nothing' })
    }
    await run(['-m', modem, `--messaging-delete-sms=${path}`])
  }
  if (unread !== undefined) throw inboxError(unread)
}

async function runOrThrow(run: RunMmcli, args: readonly string[]): Promise<string> {
  const result = await run(args)
  if (hasSucceeded(result)) return result.stdout
  throw inboxError(result)
}

function inboxError(result: ProgramResult): DriverError {
  const sentence = `Received texts cannot be read. ${describeResult('mmcli', result)}`
  return new DriverError('trouble', sentence)
}

/** Reads the number of the SIM; undefined if ModemManager knows none, or several. */
async function readOwnNumber(run: RunMmcli, modem: string): Promise<string | undefined> {
  const result = await run(['-m', modem, '-K'])
  const values = parseKeyValues(hasSucceeded(result) ? result.stdout : '')
  if (values.get('modem.generic.own-numbers.length') !== '1') return undefined
  return values.get('modem.generic.own-numbers.value[1]')
}

function toIncomingText(sms: SmsValues, to: string | undefined): IncomingText {
  const from = sms.get('sms.content.number') ?? ''
  const words = sms.get('sms.content.text') ?? ''
  const data = Buffer.from(sms.get('sms.content.data') ?? '', 'hex')
  const isData = words === '' && data.length > 0
  const text = isData ? data.toString('latin1') : words
  const timestamp = sms.get('sms.properties.timestamp') ?? ''
  // ModemManager reuses paths after a restart, so the text itself identifies it.
  const ref = hashText(JSON.stringify([from, text, timestamp]))
  const at = parseTime(timestamp) ?? 0
  const own = to === undefined ? {} : { to }
  return { from, ...own, text, at, ref, ...(isData ? { isData } : {}) }
}

function toReceipt(sms: SmsValues): DeliveryReceipt {
  const to = sms.get('sms.content.number') ?? ''
  const reason = sms.get('sms.properties.delivery-state') ?? ''
  const reference = sms.get('sms.properties.message-reference')
  const at = parseTime(sms.get('sms.properties.discharge-timestamp') ?? '')
  const state = getDeliveryState(reason)
  return {
    ...{ to, state },
    ...(reference === undefined ? {} : { networkId: createNetworkId(to, Number(reference)) }),
    ...(at === undefined ? {} : { at }),
    ...(reason === '' || state === 'delivered' ? {} : { reason }),
  }
}

/** ModemManager's words for a TP-Status (3GPP TS 23.040 section 9.2.3.15). */
function getDeliveryState(word: string): DeliveryReceipt['state'] {
  if (word.startsWith('completed')) return 'delivered'
  if (/validity-period-expired/.test(word)) return 'expired'
  // `temporary-fatal-error`: the service centre tries no more.
  return /^(temporary-)?(fatal-)?error/.test(word) && !/^temporary-error/.test(word)
    ? 'undelivered'
    : 'pending'
}

/** Milliseconds since the epoch of `2026-11-21T12:00:00+01`. */
function parseTime(timestamp: string): number | undefined {
  const at = Date.parse(timestamp.replace(/([+-]\d\d)$/, '$1:00'))
  return Number.isNaN(at) ? undefined : at
}
