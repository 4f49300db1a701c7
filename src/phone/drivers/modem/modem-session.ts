import type { Clock } from '../../../util/async/clock.js'
import { DriverError } from '../../driver-port/driver.js'
import { AtChannel, findAnswer, tryCommand } from './at-channel.js'
import { AtError } from './at-error.js'
import type { PinMemory } from './pin-memory.js'
import type { SerialLine } from './serial-line.js'
import { unlockSim } from './sim-lock.js'

interface PrepareOptions {
  readonly device: string
  /** AT commands that the modem gets first; absent if it has them already. */
  readonly init?: readonly string[]
  readonly pin?: string
  readonly pins: PinMemory
  /** The number of the service centre. @default that of the SIM */
  readonly smsc?: string
  readonly reports: boolean
  readonly enableNotifications: boolean
  readonly clock: Clock
}

/** Milliseconds. */
const wakeTimeout = 1500
const resetTimeout = 3000
const initTimeout = 20_000
const radioTimeout = 30_000
const maxWakeTries = 4

/** Milliseconds until a modem that was restarted answers again. */
export const restartTime = 10_000

const escapeKey = '\u001b'

/**
 * Prepares the modem behind an AT channel: it answers, its SIM is unlocked, and it uses PDU mode
 * (3GPP TS 27.007, TS 27.005). Returns whether the network waits for the acknowledgement of PDUs
 * that the modem does not store. Throws `trouble`, and closes the channel.
 */
export async function prepareModem(channel: AtChannel, options: PrepareOptions): Promise<boolean> {
  const { init = [], smsc, reports, enableNotifications: isListening } = options
  channel.markPrepared()
  try {
    await wakeModem(channel)
    await channel.run({ command: 'ATE0' })
    await tryCommand(channel, { command: 'AT+CMEE=1' })
    for (const command of init) await runInitCommand(channel, command)
    await unlockSim(channel, options)
    await channel.run({ command: 'AT+CMGF=0' })
    if (smsc !== undefined) await channel.run({ command: `AT+CSCA="${smsc}"` })
    return isListening && (await enableNotifications(channel, reports))
  } catch (error) {
    channel.close()
    await channel.released
    throw toTrouble(error)
  }
}

/** Whether the modem says that it is in text mode, in which it would not send a PDU as one. */
export async function isInTextMode(channel: AtChannel): Promise<boolean> {
  const lines = (await tryCommand(channel, { command: 'AT+CMGF?' })) ?? []
  return findAnswer(lines, '+CMGF') === '1'
}

/** Switches the radio of a modem off and on, so that it looks for a network again. */
export async function restartRadio(channel: AtChannel): Promise<void> {
  for (const command of ['AT+CFUN=4', 'AT+CFUN=1']) {
    await tryCommand(channel, { command, timeout: radioTimeout })
  }
}

export function toTrouble(error: unknown): unknown {
  return error instanceof AtError
    ? new DriverError('trouble', error.message, { cause: error })
    : error
}

export async function restartModem(line: SerialLine, command: string, clock: Clock): Promise<void> {
  const channel = new AtChannel(line, { onUnsolicited: () => {}, onClosed: () => {} }, clock)
  const call = { command: escapeKey + command, timeout: resetTimeout }
  await channel.run(call).catch(() => {})
  channel.close()
  await channel.released
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
