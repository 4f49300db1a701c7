import { RelayError } from '../../errors.js'
import { DriverError } from '../driver-port/driver.js'

/** The drivers for numbers with a prefix, in the order in which they are tried. */
export interface DriverRoute {
  /** Such as `+49`; empty for all numbers. */
  readonly prefix: string
  readonly drivers: readonly string[]
}

/** Parses `+49=a` or `*=b,a`. Throws `usage`. */
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

/** The route with the longest prefix of a number; the first of several. */
export function findRoute(
  routes: readonly DriverRoute[],
  destination: string,
): DriverRoute | undefined {
  const [best] = routes
    .filter(({ prefix }) => destination.startsWith(prefix))
    .sort((a, b) => b.prefix.length - a.prefix.length)
  return best
}

/** Whether another driver may send the text: only if this one certainly has not. */
export function canFailOver(error: unknown): error is DriverError {
  return error instanceof DriverError && (error.kind === 'trouble' || error.kind === 'retry')
}
