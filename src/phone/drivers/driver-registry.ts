// The drivers by name. A folder has the files of one driver; program/ has those that only run a
// program.
//
// 1. `createDriver` checks that a driver has the given options and creates it.
// 2. driver-set.ts creates the driver of a phone: one of these, or several under names, to which
//    routing-driver.ts distributes the texts by prefix of the number.
//
// The options are described in docs/reference/drivers.md.

import { type DriverName, driverNames } from '../../domain/phone/driver-names.js'
import { getTypedNumber } from '../../domain/sms/phone-number.js'
import { isRelayError, RelayError } from '../../errors.js'
import { createClock } from '../../util/async/clock.js'
import type { Driver } from '../driver-port/driver.js'
import {
  type DriverContext,
  type DriverOptions,
  type OptionTable,
  parsed,
  refuse,
} from '../driver-port/driver-options.js'
import { createGammuDriver, gammuOptions } from './gammu/gammu-driver.js'
import { createHttpDriver } from './http/http-driver.js'
import { httpOptions } from './http/settings/http-options.js'
import { createMmcliDriver, mmcliOptions } from './mmcli/mmcli-driver.js'
import { createModemDriver } from './modem/modem-driver.js'
import { modemOptions } from './modem/modem-options.js'
import { createExecDriver, execOptions } from './program/exec-driver.js'
import { createTermuxDriver, termuxOptions } from './program/termux-driver.js'
import { createSimulateDriver } from './simulate/simulate-driver.js'
import { simulateOptions } from './simulate/simulate-settings.js'
import { smppOptions } from './smpp/settings/smpp-settings.js'
import { createSmppDriver } from './smpp/smpp-driver.js'

interface DriverKind {
  readonly about: string
  readonly options: OptionTable
  readonly create: (options: DriverOptions, context: DriverContext) => Driver
}

const dial = parsed((typed, name) => {
  if (typed.trim() === 'typed') return true
  throw refuse(name, 'typed', typed)
})
/** Options of all drivers that use numbers: {@link addOwnNumber} and {@link dialTyped}. */
const common = { number: parsed(parseOwnNumber), dial }

export const commonOptions: readonly string[] = Object.keys(common)

export const driverKinds: Readonly<Record<DriverName, DriverKind>> = {
  modem: {
    about: 'GSM or LTE modem',
    options: { ...modemOptions, ...common },
    create: createModemDriver,
  },
  smpp: {
    about: 'account at an SMSC',
    options: { ...smppOptions, ...common },
    create: createSmppDriver,
  },
  http: {
    about: 'provider over HTTP',
    options: { ...httpOptions, ...common },
    create: createHttpDriver,
  },
  termux: {
    about: 'Android phone with Termux',
    options: { ...termuxOptions, ...common },
    create: createTermuxDriver,
  },
  gammu: { about: 'gammu', options: { ...gammuOptions, ...common }, create: createGammuDriver },
  mmcli: {
    about: 'ModemManager',
    options: { ...mmcliOptions, ...common },
    create: createMmcliDriver,
  },
  exec: { about: 'any program', options: { ...execOptions, dial }, create: createExecDriver },
  simulate: {
    about: 'sends nothing',
    options: { ...simulateOptions, dial },
    create: createSimulateDriver,
  },
}

/**
 * Creates a phone driver by name. Throws `usage` if there is no such driver, or if an option is
 * unknown, missing or invalid. Missing fields of `context` come from this process.
 */
export function createDriver(
  name: string,
  options: DriverOptions,
  context: Partial<DriverContext> = {},
): Driver {
  const { options: known, create } = getDriverKind(name)
  const unknown = Object.keys(options).find(each => findOption(known, each) === undefined)
  if (unknown !== undefined) {
    throw new RelayError('usage', `The ${name} driver has no option "${unknown}".`, {
      hint: `Its options: ${Object.keys(known).join(', ')}.`,
    })
  }
  const { number, dial: dialled, ...own } = options
  const complete = {
    env: process.env,
    clock: createClock(),
    random: Math.random,
    crash: () => process.kill(process.pid, 'SIGKILL'),
    ...context,
  }
  const driver = runNamed(name, () => create(own, complete))
  if (number !== undefined) addOwnNumber(driver, parseOwnNumber(number))
  if (dialled !== undefined && dial.parse(dialled, 'dial')) dialTyped(driver)
  return driver
}

function runNamed<T>(driver: string, create: () => T): T {
  try {
    return create()
  } catch (error) {
    if (!isRelayError(error, 'usage')) throw error
    const hint = error.hint ?? `The driver is ${driver}; \`smsrelay phone --help\` has its options.`
    throw error.copyWith({ hint, fields: { driver } })
  }
}

export function findOption(table: OptionTable, name: string): OptionTable[string] | undefined {
  const found = Object.entries(table).find(([each]) =>
    each.endsWith('*')
      ? name.startsWith(each.slice(0, -1)) && name.length >= each.length
      : name === each,
  )
  return found?.[1]
}

function getDriverKind(name: string): DriverKind {
  const found = Object.entries<DriverKind>(driverKinds).find(([each]) => each === name)
  if (found !== undefined) return found[1]
  throw new RelayError('usage', `There is no driver "${name}".`, {
    hint: `Drivers: ${driverNames.join(', ')}.`,
  })
}

/**
 * Adds our number, the option `number`, to received texts for which the driver does not know it.
 * Throws `usage` for an invalid number.
 */
function addOwnNumber(driver: Driver, to: string): void {
  const listen = driver.listen?.bind(driver)
  driver.listen = listener =>
    listen?.({ ...listener, onText: text => listener.onText({ to, ...text }) })
}

/**
 * Makes the driver dial numbers as they were typed, the option `dial`, for networks that do not
 * take the international form.
 */
function dialTyped(driver: Driver): void {
  const send = driver.send.bind(driver)
  driver.send = (message, signal) =>
    send({ ...message, destination: message.typed ?? message.destination }, signal)
}

function parseOwnNumber(typed: string): string {
  const number = getTypedNumber(typed)
  if (/^\+?\d{3,20}$/.test(number)) return number
  throw refuse('number', 'a phone number, such as +12025550100', typed)
}
