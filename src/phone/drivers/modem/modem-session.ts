import { runWithSignal } from '../../../util/async/abort.js'
import type { Clock } from '../../../util/async/clock.js'
import { DriverError } from '../../driver-port/driver.js'
import { AtChannel, type AtListener, tryCommand } from './at-channel.js'
import { AtError } from './at-error.js'
import type { SerialLine } from './serial-line.js'

interface ModemSessionOptions extends AtListener {
  readonly init: readonly string[]
  readonly reset?: string
  readonly pin?: string
  /** The number of the service centre. @default that of the SIM */
  readonly smsc?: string
  readonly reports: boolean
  readonly enableNotifications: boolean
  readonly clock: Clock
}

/** An AT channel to a modem that is ready to send. */
export interface ModemSession {
  readonly channel: AtChannel
  /** Whether the network waits for the acknowledgement of PDUs that the modem does not store. */
  readonly acknowledges: boolean
}

/** Milliseconds. */
const wakeTimeout = 1500
const resetTimeout = 3000
const simTimeout = 10_000
const initTimeout = 20_000
const checkInterval = 30_000
const maxWakeTries = 4

/** Milliseconds until a modem that was restarted answers again. */
export const restartTime = 10_000

const escapeKey = '\u001b'

/**
 * Prepares the modem behind a serial line: it answers, its SIM is unlocked, and it uses PDU mode
 * (3GPP TS 27.007, TS 27.005). Throws `trouble`, and closes the line.
 */
export async function openModemSession(
  line: SerialLine,
  options: ModemSessionOptions,
): Promise<ModemSession> {
  const channel = new AtChannel(line, options, options.clock)
  try {
    await wakeModem(channel)
    await channel.run({ command: 'ATE0' })
    await tryCommand(channel, { command: 'AT+CMEE=1' })
    for (const command of options.init) await runInitCommand(channel, command)
    await unlockSim(channel, options.pin)
    await channel.run({ command: 'AT+CMGF=0' })
    if (options.smsc !== undefined) await channel.run({ command: `AT+CSCA="${options.smsc}"` })
    const acknowledges =
      options.enableNotifications && (await enableNotifications(channel, options.reports))
    return { channel, acknowledges }
  } catch (error) {
    channel.close()
    await channel.released
    throw error instanceof AtError
      ? new DriverError('trouble', error.message, { cause: error })
      : error
  }
}

export async function restartModem(line: SerialLine, command: string, clock: Clock): Promise<void> {
  const channel = new AtChannel(line, { onUnsolicited: () => {}, onClosed: () => {} }, clock)
  const call = { command: escapeKey + command, timeout: resetTimeout }
  await channel.run(call).catch(() => {})
  channel.close()
  await channel.released
}

/** Checks an idle modem until stopped, because one that hangs sends nothing. Throws `trouble`. */
export async function watchModem(
  channel: AtChannel,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const ended = new AbortController()
  void channel.ended.then(() => ended.abort())
  await runWithSignal([signal, ended.signal], async either => {
    while (!either.aborted) {
      await clock.sleep(checkInterval, either)
      if (!either.aborted) await channel.run({ command: 'AT' }).catch(() => {})
    }
  })
  if (signal.aborted) return
  throw new DriverError('trouble', `The line to the modem was closed (${await channel.ended}).`)
}

/**
 * Gets an answer from a modem that detects the speed of the line, waits for a text, or has a
 * setting in which it does not answer: Escape and AT a few times, then ATZ.
 */
async function wakeModem(channel: AtChannel): Promise<void> {
  const tries = [...Array.from({ length: maxWakeTries }, () => 'AT'), 'ATZ']
  for (const command of tries) {
    if (await isAnswering(channel, escapeKey + command)) return
  }
  await channel.run({ command: `${escapeKey}AT`, timeout: wakeTimeout })
}

async function isAnswering(channel: AtChannel, command: string): Promise<boolean> {
  try {
    await channel.run({ command, timeout: wakeTimeout, keepOpen: true })
    return true
  } catch (error) {
    if (error instanceof AtError && error.fault.by === 'line') throw error
    return false
  }
}

async function runInitCommand(channel: AtChannel, command: string): Promise<void> {
  try {
    await channel.run({ command, timeout: initTimeout })
  } catch (cause) {
    if (!(cause instanceof AtError)) throw cause
    throw new DriverError('trouble', `${command} of the option init: ${cause.message}`, { cause })
  }
}

async function unlockSim(channel: AtChannel, pin: string | undefined): Promise<void> {
  const state = await readPinState(channel)
  if (state === 'READY') return
  if (state !== 'SIM PIN') throw new DriverError('trouble', `The SIM is locked (${state}).`)
  if (pin === undefined) {
    throw new DriverError('trouble', 'The SIM needs its PIN; set it with --option pin=….')
  }
  await channel.run({ command: `AT+CPIN="${pin}"`, timeout: simTimeout })
  if ((await readPinState(channel)) === 'READY') return
  throw new DriverError('trouble', 'The SIM did not accept its PIN.')
}

async function readPinState(channel: AtChannel): Promise<string> {
  const lines = await channel.run({ command: 'AT+CPIN?', timeout: simTimeout })
  return findAnswer(lines, '+CPIN') ?? 'no answer'
}

/**
 * Modems support different forms of notifications of received texts and receipts, so the best one
 * that works is used. Returns whether receipts must be acknowledged: the modem then keeps the
 * network waiting (AT+CSMS=1). Otherwise it stores them (`+CDSI`), or acknowledges them by itself.
 */
async function enableNotifications(channel: AtChannel, reports: boolean): Promise<boolean> {
  const lines = reports ? await tryCommand(channel, { command: 'AT+CSMS=1' }) : undefined
  const acknowledges = lines !== undefined
  const stored = reports && !acknowledges ? ['2,1,0,2,0'] : []
  for (const modes of [...stored, '2,1,0,1,0', '2,1,0,0,0', '1,1']) {
    if ((await tryCommand(channel, { command: `AT+CNMI=${modes}` })) !== undefined) break
  }
  return acknowledges
}

/** What follows the name in a modem's answer, without quotes. */
export function findAnswer(lines: readonly string[], name: string): string | undefined {
  const line = lines.find(each => each.startsWith(`${name}:`))
  return line
    ?.slice(name.length + 1)
    .trim()
    .replaceAll('"', '')
}
