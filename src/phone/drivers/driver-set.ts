import { RelayError } from '../../errors.js'
import type { Driver } from '../driver-port/driver.js'
import type { DriverOptions } from '../driver-port/driver-options.js'
import { createDriver, type DriverContext } from './driver-registry.js'
import { parseRoute } from './driver-route.js'
import { createRoutingDriver } from './routing-driver.js'

/** What was typed of the drivers of one phone. */
export interface DriverSelection {
  /** One `modem`, or several such as `a=modem`. */
  readonly drivers: readonly string[]
  /** Such as `+49=a`, `*=b,a`. @default all numbers by the drivers in their order */
  readonly routes?: readonly string[] | undefined
  /** Of several drivers each has its name in front: `a.device`. */
  readonly options: DriverOptions
}

/** Makes the driver of a phone, or one over several that have names. Throws `usage`. */
export function createDriverSet(
  { drivers, routes = [], options }: DriverSelection,
  context: Partial<DriverContext> = {},
): Driver {
  const [first = ''] = drivers
  if (drivers.length === 1 && !first.includes('=')) {
    if (routes.length === 0) return createDriver(first, options, context)
    throw new RelayError('usage', '--route needs drivers with names, such as --driver a=modem.')
  }
  const named = new Map(drivers.map(parseNamedDriver))
  const names = [...named.keys()]
  if (names.length < drivers.length) {
    throw new RelayError('usage', 'Two drivers have the same name.')
  }
  const parsed = (routes.length === 0 ? [`*=${names.join(',')}`] : routes).map(route =>
    parseRoute(route, names),
  )
  const given = groupOptions(options, names)
  const made = [...named].map(
    ([name, kind]) => [name, createDriver(kind, given.get(name) ?? {}, context)] as const,
  )
  return createRoutingDriver(new Map(made), parsed)
}

function parseNamedDriver(text: string): readonly [string, string] {
  const [, name, kind] = /^([a-z0-9-]+)=(.+)$/.exec(text) ?? []
  if (name !== undefined && kind !== undefined) return [name, kind]
  throw new RelayError(
    'usage',
    `Of several drivers each needs a name, such as a=modem; not "${text}".`,
    {
      hint: 'Names are small letters, digits and -.',
    },
  )
}

function groupOptions(options: DriverOptions, names: readonly string[]) {
  const given = new Map<string, Record<string, string>>(names.map(name => [name, {}]))
  for (const [key, value] of Object.entries(options)) {
    const dot = key.indexOf('.')
    const mine = given.get(key.slice(0, Math.max(dot, 0)))
    if (mine === undefined) {
      throw new RelayError('usage', `Of several drivers, whose option is "${key}"?`, {
        hint: `Write --option ${names[0]}.${key.slice(dot + 1)}=…; there are ${names.join(', ')}.`,
      })
    }
    mine[key.slice(dot + 1)] = value
  }
  return given
}
