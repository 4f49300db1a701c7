import type { Clock } from '../../../util/async/clock.js'
import { DriverError } from '../../driver-port/driver.js'
import { type AtChannel, findAnswer, tryCommand } from './at-channel.js'
import { AtError, isSimBusy } from './at-error.js'
import type { PinMemory } from './pin-memory.js'

interface SimLockOptions {
  readonly pin?: string
  readonly pins: PinMemory
  /** The modem's device, which stands for the SIM if that does not tell its number. */
  readonly device: string
  readonly clock: Clock
}

/** Milliseconds. */
const simTimeout = 10_000
const unlockTimeout = 30_000
const statePause = 1000
/** How often the state is asked for of a SIM that is busy, or has just been given its PIN. */
const maxStateTries = 10
/** The last try is the user's own: the PUK is needed after it. */
const minTriesLeft = 2

/**
 * Unlocks the SIM with its PIN (3GPP TS 27.007 section 8.3). A PIN that did not unlock it is never
 * sent again, whatever the modem said about it. Throws `trouble`.
 */
export async function unlockSim(channel: AtChannel, options: SimLockOptions): Promise<void> {
  const { pin, pins, device, clock } = options
  const state = await readSimState(channel, clock)
  if (state === 'READY') return await forgetTrial(channel, options)
  if (state !== 'SIM PIN') throw new DriverError('trouble', `The SIM is locked (${state}).`)
  if (pin === undefined) {
    throw new DriverError('trouble', 'The SIM needs its PIN; set it with --option pin=….')
  }
  const sim = (await readIccid(channel)) ?? device
  const known = await pins.read(sim, pin)
  if (known !== undefined) throw refusedError(pins.place, known === 'trying' ? stopped : rejected)
  await assertTriesLeft(channel)
  await pins.write(sim, pin, 'trying')
  const answer = await enterPin(channel, pin)
  const isUnlocked = await isReadySoon(channel, answer === 'OK', clock)
  await pins.write(sim, pin, isUnlocked ? undefined : 'wrong')
  if (!isUnlocked) throw refusedError(pins.place, `${rejected} (${answer})`)
}

/** A process that ended while it entered the PIN does not count against a SIM that is unlocked. */
async function forgetTrial(channel: AtChannel, options: SimLockOptions): Promise<void> {
  const { pin, pins, device } = options
  if (pin === undefined || !(await pins.hasAny())) return
  const sim = (await readIccid(channel)) ?? device
  if ((await pins.read(sim, pin)) === 'trying') await pins.write(sim, pin, undefined)
}

async function enterPin(channel: AtChannel, pin: string): Promise<string> {
  try {
    await channel.run({ command: `AT+CPIN="${pin}"`, timeout: unlockTimeout, keepOpen: true })
    return 'OK'
  } catch (error) {
    if (error instanceof AtError && error.fault.by !== 'line') return error.message
    throw error
  }
}

/** Modems need some seconds until a SIM that was unlocked is ready. */
async function isReadySoon(
  channel: AtChannel,
  isAccepted: boolean,
  clock: Clock,
): Promise<boolean> {
  for (let tries = isAccepted ? maxStateTries : 1; tries > 0; tries -= 1) {
    if ((await readSimState(channel, clock)) === 'READY') return true
    if (tries > 1) await clock.sleep(statePause)
  }
  return false
}

/** What AT+CPIN? says, such as `READY` or `SIM PIN`; waits for a SIM that is busy. */
async function readSimState(channel: AtChannel, clock: Clock): Promise<string> {
  for (let tries = maxStateTries; ; tries -= 1) {
    try {
      const lines = await channel.run({ command: 'AT+CPIN?', timeout: simTimeout })
      return findAnswer(lines, '+CPIN') ?? 'no answer'
    } catch (error) {
      if (!isSimBusy(error) || tries === 1) throw error
    }
    await clock.sleep(statePause)
  }
}

/** Asks for the tries that are left for the PIN, where the modem has AT+CPINR (section 8.65). */
async function assertTriesLeft(channel: AtChannel): Promise<void> {
  const lines = (await tryCommand(channel, { command: 'AT+CPINR' })) ?? []
  const line = lines.find(each => /SIM PIN\b/.test(each)) ?? lines[0] ?? ''
  const [, left] = /^\+CPINR:[^\d]*(\d+)/.exec(line) ?? []
  if (left === undefined || Number(left) >= minTriesLeft) return
  throw new DriverError(
    'trouble',
    `Tries that the SIM has left for its PIN: ${left}. The phone does not use the last one: ` +
      'put the SIM into a mobile phone, and enter the PIN there.',
  )
}

/** Commands that tell the number of the SIM; the last one is standard and needs no PIN. */
const iccidCommands = [
  ...['AT+CCID', 'AT+ICCID', 'AT+QCCID', 'AT^ICCID?', 'AT+CRSM=176,12258,0,0,10'],
]

async function readIccid(channel: AtChannel): Promise<string | undefined> {
  for (const command of iccidCommands) {
    const lines = (await tryCommand(channel, { command })) ?? []
    const iccid = /\b(\d{18,20})F?\b/i.exec(lines.join(' '))?.[1]
    const swapped = /\b[0-9A-F]{20}\b/i.exec(lines.join(' '))?.[0]
    if (iccid !== undefined || swapped !== undefined) return iccid ?? swapped
  }
  return undefined
}

const rejected = 'The SIM did not accept this PIN'
const stopped = 'The phone stopped while it entered this PIN'

function refusedError(place: string, problem: string): DriverError {
  return new DriverError(
    'trouble',
    `${problem}, so it is not sent again: a third wrong PIN locks the SIM. ` +
      `Set the right one with --option pin=…; this one is remembered ${place}.`,
  )
}
