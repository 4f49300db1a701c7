import { RelayError } from '../../errors.js'
import { pause } from '../../util/pause.js'
import type { Driver } from '../driver.js'
import { createExecDriver, type ExecContext, execOptions } from './exec.js'
import { createModemDriver, type ModemContext, modemOptions } from './modem.js'
import type { DriverOptions } from './options.js'
import { createSimulateDriver, type SimulateContext, simulateOptions } from './simulate.js'
import { createSmppDriver, type SmppContext, smppOptions } from './smpp.js'

/** What drivers use of the world. */
export interface DriverContext extends ExecContext, SimulateContext, ModemContext, SmppContext {}

interface Kind {
  readonly options: readonly string[]
  readonly create: (options: DriverOptions, context: DriverContext) => Driver
}

const kinds = {
  smpp: { options: smppOptions, create: createSmppDriver },
  modem: { options: modemOptions, create: createModemDriver },
  exec: { options: execOptions, create: createExecDriver },
  simulate: { options: simulateOptions, create: createSimulateDriver },
} satisfies Record<string, Kind>

/** The name of a driver. */
export type DriverName = keyof typeof kinds

/** The names of all drivers. */
export const driverNames = Object.keys(kinds) as DriverName[]

/**
 * Makes a driver by name. Throws `usage` when there is none of that name, or an option is unknown, missing or wrong.
 */
export function createDriver(
  name: string,
  options: DriverOptions,
  context: Partial<DriverContext> = {},
): Driver {
  const { options: known, create } = kindOf(name)
  const unknown = Object.keys(options).find(option => !known.includes(option))
  if (unknown !== undefined) {
    const list = known.join(', ')
    throw new RelayError('usage', `The ${name} driver has no option "${unknown}"; it has ${list}.`)
  }
  return create(options, { env: process.env, pause, random: Math.random, ...context })
}

function kindOf(name: string): Kind {
  const found = Object.entries<Kind>(kinds).find(([each]) => each === name)
  if (found !== undefined) return found[1]
  throw new RelayError(
    'usage',
    `There is no driver "${name}"; there are ${driverNames.join(', ')}.`,
  )
}
