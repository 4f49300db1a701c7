import { RelayError } from '../../errors.js'
import type { Driver } from '../driver-port/driver.js'
import type { DriverContext, DriverOptions } from '../driver-port/driver-options.js'
import { createDriver } from './driver-registry.js'
import { createRoutingDriver, type DriverRoute } from './routing-driver.js'

interface DriverSelection {
  /** Flag --driver: one `modem`, or several such as `a=modem`. */
  readonly drivers: readonly string[]
  /**
   * Flag --route, such as `+49=a`, `*=b,a`.
   * @default the drivers in their order, for all numbers
   */
  readonly routes?: readonly string[] | undefined
  readonly options: DriverOptions
}

export function createDriverSet(
  { drivers, routes = [], options }: DriverSelection,
  context: Partial<DriverContext> = {},
): Driver {
  const [first = ''] = drivers
  if (drivers.length === 1 && !first.includes('=')) {
    if (routes.length === 0) return createDriver(first, options, context)
    throw new RelayError('usage', '--route needs drivers with names, such as --driver a=modem.')
  }
  const kinds = new Map(drivers.map(parseNamedDriver))
  const names = [...kinds.keys()]
  if (names.length < drivers.length) {
    throw new RelayError('usage', 'Two drivers have the same name.', {
      hint: 'Give each driver a name of its own, such as a=modem and b=modem.',
    })
  }
  const typed = routes.length === 0 ? [`*=${names.join(',')}`] : routes
  const parsed = typed.map(route => parseRoute(route, names))
  const optionsByName = groupOptions(options, names)
  const created = [...kinds].map(
    ([name, kind]) => [name, createDriver(kind, optionsByName.get(name) ?? {}, context)] as const,
  )
  return createRoutingDriver(new Map(created), parsed)
}

/** Parses a route to drivers, `+49=a` or `*=b,a`. Throws `usage`. */
export function parseRoute(text: string, names: readonly string[]): DriverRoute {
  const [, prefix = '', list = ''] = /^\s*(\*|\+?\d+)\s*=(.*)$/.exec(text) ?? []
  const drivers = list.split(',').map(name => name.trim())
  if (prefix === '' || drivers.includes('')) {
    throw new RelayError('usage', `--route must be PREFIX=DRIVER; not "${text}".`, {
      hint: 'Such as +49=a, or *=b,a for all other numbers: first b, then a if b cannot send.',
    })
  }
  const unknown = drivers.find(name => !names.includes(name))
  if (unknown !== undefined) {
    throw new RelayError('usage', `--route names "${unknown}", but there is no such --driver.`, {
      hint: `Drivers: ${names.join(', ')}.`,
    })
  }
  return { prefix: prefix === '*' ? '' : prefix, drivers: [...new Set(drivers)] }
}

function parseNamedDriver(text: string): readonly [name: string, kind: string] {
  const [, name, kind] = /^([a-z0-9-]+)=(.+)$/.exec(text) ?? []
  if (name !== undefined && kind !== undefined) return [name, kind]
  throw new RelayError('usage', `One of several drivers must have a name; not "${text}".`, {
    hint: 'Write it as a=modem. Names have small letters, digits and hyphens.',
  })
}

function groupOptions(options: DriverOptions, names: readonly string[]) {
  const grouped = new Map<string, Record<string, string>>(names.map(name => [name, {}]))
  for (const [key, value] of Object.entries(options)) {
    const dot = key.indexOf('.')
    const group = grouped.get(key.slice(0, Math.max(dot, 0)))
    if (group === undefined) {
      throw new RelayError('usage', `The option "${key}" does not name one of the drivers.`, {
        hint: `Write --option ${names[0]}.${key.slice(dot + 1)}=…; drivers: ${names.join(', ')}.`,
      })
    }
    group[key.slice(dot + 1)] = value
  }
  return grouped
}
