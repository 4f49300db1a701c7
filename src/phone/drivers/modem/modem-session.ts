import { DriverError } from '../../driver-port/driver.js'
import { AtChannel, type AtCommand, type Unsolicited } from './at-channel.js'
import { AtError } from './at-error.js'
import type { OpenSerialLine } from './serial-line.js'

/** How a modem is set up. */
export interface ModemSessionOptions {
  readonly open: OpenSerialLine
  /** Of the SIM. */
  readonly pin?: string
  /** Number of the service centre, where the SIM's own does not do. */
  readonly smsc?: string
  /** Whether delivery reports and incoming texts are to be told. */
  readonly enableNotifications: boolean
  readonly onUnsolicited: (unsolicited: Unsolicited) => void
  readonly onClosed: (reason: string) => void
}

const wakingTries = 4
const wakingTimeout = 1500
const simTimeout = 10_000

/**
 * Opens the line and makes the modem ready: it answers, has a SIM that is unlocked, and speaks in PDUs (3GPP TS
 * 27.007, TS 27.005). Throws {@link DriverError} of kind `trouble`.
 */
export async function openModemSession(
  options: ModemSessionOptions,
  signal: AbortSignal,
): Promise<AtChannel> {
  const line = await options.open(signal)
  const channel = new AtChannel(line, options)
  try {
    await wakeModem(channel)
    await channel.run({ command: 'ATE0' })
    await channel.run({ command: 'AT+CMEE=1' }).catch(() => {})
    await unlockSim(channel, options.pin)
    await channel.run({ command: 'AT+CMGF=0' })
    if (options.smsc !== undefined) await channel.run({ command: `AT+CSCA="${options.smsc}"` })
    if (options.enableNotifications) await enableNotifications(channel)
    return channel
  } catch (error) {
    channel.close()
    throw toTroubleError(error)
  }
}

/** A modem that finds out the speed of the line, or waits in the middle of a text, answers after a few tries. */
async function wakeModem(channel: AtChannel): Promise<void> {
  const command = { command: '\u001bAT', timeout: wakingTimeout, keepOpen: true }
  for (let left = wakingTries - 1; left > 0; left -= 1) {
    const awake = await channel.run(command).then(
      () => true,
      error => isLineGone(error),
    )
    if (awake) return
  }
  await channel.run(command)
}

function isLineGone(error: unknown): boolean {
  return error instanceof AtError && error.fault.by === 'line'
}

async function unlockSim(channel: AtChannel, pin: string | undefined): Promise<void> {
  const state = await readPinState(channel)
  if (state === 'READY') return
  if (state !== 'SIM PIN') throw troubleError(`The SIM is locked (${state}).`)
  if (pin === undefined) throw troubleError('The SIM wants its PIN: give it with --option pin=….')
  await channel.run({ command: `AT+CPIN="${pin}"`, timeout: simTimeout })
  if ((await readPinState(channel)) !== 'READY')
    throw troubleError('The SIM did not accept its PIN.')
}

async function readPinState(channel: AtChannel): Promise<string> {
  const lines = await channel.run({ command: 'AT+CPIN?', timeout: simTimeout })
  return findAnswer(lines, '+CPIN') ?? 'no answer'
}

/** Modems differ in which of the ways to tell of reports they know. */
async function enableNotifications(channel: AtChannel): Promise<void> {
  for (const ways of ['2,1,0,1,0', '2,1,0,0,0', '1,1']) {
    const known = await tryCommand(channel, { command: `AT+CNMI=${ways}` })
    if (known) return
  }
}

async function tryCommand(channel: AtChannel, command: AtCommand): Promise<boolean> {
  try {
    await channel.run(command)
    return true
  } catch (error) {
    if (error instanceof AtError && error.fault.by !== 'silence' && error.fault.by !== 'line') {
      return false
    }
    throw error
  }
}

/** What stands behind `name:` in an answer, without quotes. */
export function findAnswer(lines: readonly string[], name: string): string | undefined {
  const line = lines.find(each => each.startsWith(`${name}:`))
  return line
    ?.slice(name.length + 1)
    .trim()
    .replaceAll('"', '')
}

function troubleError(sentence: string): DriverError {
  return new DriverError('trouble', sentence)
}

function toTroubleError(error: unknown): unknown {
  return error instanceof AtError
    ? new DriverError('trouble', error.message, { cause: error })
    : error
}
