import { runWithSignal } from '../../../util/async/abort.js'
import type { Clock } from '../../../util/async/clock.js'
import { DriverError, type DriverHealth } from '../../driver-port/driver.js'
import { AtChannel, type AtCommand, type AtListener } from './at-channel.js'
import { AtError } from './at-error.js'
import type { OpenSerialLine } from './serial-line.js'

interface ModemSessionOptions extends AtListener {
  readonly open: OpenSerialLine
  readonly pin?: string
  /** The number of the service centre. @default that of the SIM */
  readonly smsc?: string
  readonly enableNotifications: boolean
}

/** Milliseconds. */
const wakeTimeout = 1500
const simTimeout = 10_000
const checkInterval = 30_000
const maxWakeTries = 4

/**
 * Opens the serial line and prepares the modem: it answers, its SIM is unlocked, and it uses PDU
 * mode (3GPP TS 27.007, TS 27.005). Throws `trouble`.
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
    throw error instanceof AtError
      ? new DriverError('trouble', error.message, { cause: error })
      : error
  }
}

/** Reads signal and network of a modem. Throws {@link AtError}. */
export async function readModemHealth(channel: AtChannel): Promise<DriverHealth> {
  const signal = findAnswer(await channel.run({ command: 'AT+CSQ' }), '+CSQ')
  const network = findAnswer(await channel.run({ command: 'AT+CREG?' }), '+CREG')
  return toModemHealth(signal, network)
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
 * A modem that detects the speed of the serial line, or waits for a text, answers after a few
 * tries.
 */
async function wakeModem(channel: AtChannel): Promise<void> {
  const command = { command: '\u001bAT', timeout: wakeTimeout, keepOpen: true }
  for (let left = maxWakeTries - 1; left > 0; left -= 1) {
    const isDone = await channel.run(command).then(
      () => true,
      error => error instanceof AtError && error.fault.by === 'line',
    )
    if (isDone) return
  }
  await channel.run(command)
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
 * Modems support different forms of notifications of received texts, so the best one that works is
 * used.
 */
async function enableNotifications(channel: AtChannel): Promise<void> {
  for (const modes of ['2,1,0,1,0', '2,1,0,0,0', '1,1']) {
    const isSupported = await tryCommand(channel, { command: `AT+CNMI=${modes}` })
    if (isSupported) return
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

function findAnswer(lines: readonly string[], name: string): string | undefined {
  const line = lines.find(each => each.startsWith(`${name}:`))
  return line
    ?.slice(name.length + 1)
    .trim()
    .replaceAll('"', '')
}

const networks: Readonly<Record<string, string>> = {
  0: 'not looking for a network',
  1: 'in the home network',
  2: 'looking for a network',
  3: 'rejected by the network',
  5: 'roaming',
}

/** Describes AT+CSQ (0 to 31, 99 unknown) and AT+CREG (3GPP TS 27.007 sections 8.5 and 7.2). */
function toModemHealth(signal: string | undefined, network: string | undefined): DriverHealth {
  const [strength] = (signal ?? '').split(',')
  const state = (network ?? '').split(',')[1]?.trim() ?? ''
  const dbm = Number(strength) <= 31 ? `${Number(strength) * 2 - 113} dBm` : 'unknown'
  const description = networks[state] ?? 'network unknown'
  return { ok: state === '1' || state === '5', detail: `Signal ${dbm}, ${description}.` }
}
