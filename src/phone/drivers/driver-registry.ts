import { RelayError } from '../../errors.js'
import { createClock } from '../../util/async/clock.js'
import type { Driver } from '../driver-port/driver.js'
import type { DriverOptions } from '../driver-port/driver-options.js'
import { createGammuDriver, type GammuContext, gammuOptions } from './gammu/gammu-driver.js'
import { createHttpDriver, type HttpContext, httpOptions } from './http/http-driver.js'
import { createMmcliDriver, type MmcliContext, mmcliOptions } from './mmcli/mmcli-driver.js'
import { createModemDriver, type ModemContext, modemOptions } from './modem/modem-driver.js'
import { createExecDriver, type ExecContext, execOptions } from './program/exec-driver.js'
import {
  createKdeconnectDriver,
  type KdeconnectContext,
  kdeconnectOptions,
} from './program/kdeconnect-driver.js'
import { createTermuxDriver, type TermuxContext, termuxOptions } from './program/termux-driver.js'
import {
  createSimulateDriver,
  type SimulateContext,
  simulateOptions,
} from './simulate/simulate-driver.js'
import { createSmppDriver, type SmppContext, smppOptions } from './smpp/smpp-driver.js'

/** What drivers use of the world. */
export interface DriverContext
  extends ExecContext,
    SimulateContext,
    ModemContext,
    TermuxContext,
    GammuContext,
    MmcliContext,
    KdeconnectContext,
    SmppContext,
    HttpContext {}

interface DriverKind {
  /** One that ends in `*` stands for all that begin so. */
  readonly options: readonly string[]
  readonly create: (options: DriverOptions, context: DriverContext) => Driver
}

const driverKinds = {
  http: { options: httpOptions, create: createHttpDriver },
  smpp: { options: smppOptions, create: createSmppDriver },
  modem: { options: modemOptions, create: createModemDriver },
  termux: { options: termuxOptions, create: createTermuxDriver },
  gammu: { options: gammuOptions, create: createGammuDriver },
  mmcli: { options: mmcliOptions, create: createMmcliDriver },
  kdeconnect: { options: kdeconnectOptions, create: createKdeconnectDriver },
  exec: { options: execOptions, create: createExecDriver },
  simulate: { options: simulateOptions, create: createSimulateDriver },
} satisfies Record<string, DriverKind>

/** The name of a driver. */
export type DriverName = keyof typeof driverKinds

/** The names of all drivers. */
export const driverNames = Object.keys(driverKinds) as DriverName[]

/**
 * Makes a driver by name. Throws `usage` when there is none of that name, or an option is unknown, missing or wrong.
 */
export function createDriver(
  name: string,
  options: DriverOptions,
  context: Partial<DriverContext> = {},
): Driver {
  const { options: known, create } = getDriverKind(name)
  const unknown = Object.keys(options).find(option => !isKnownOption(option, known))
  if (unknown !== undefined) {
    const list = known.join(', ')
    throw new RelayError('usage', `The ${name} driver has no option "${unknown}"; it has ${list}.`)
  }
  const world = { env: process.env, clock: createClock(), random: Math.random, crash: crashProcess }
  return create(options, { ...world, ...context })
}

/** Nothing of this process gets to say a last word. */
function crashProcess(): void {
  process.kill(process.pid, 'SIGKILL')
}

function isKnownOption(option: string, known: readonly string[]): boolean {
  return known.some(each =>
    each.endsWith('*')
      ? option.startsWith(each.slice(0, -1)) && option.length >= each.length
      : option === each,
  )
}

function getDriverKind(name: string): DriverKind {
  const found = Object.entries<DriverKind>(driverKinds).find(([each]) => each === name)
  if (found !== undefined) return found[1]
  throw new RelayError(
    'usage',
    `There is no driver "${name}"; there are ${driverNames.join(', ')}.`,
  )
}
