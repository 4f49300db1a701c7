import { RelayError } from '../../errors.js'
import { DriverError } from '../driver-port/driver.js'

/** Which drivers are asked, in this order, for the numbers that begin so. */
export interface DriverRoute {
  /** Such as `+49`; empty for all numbers. */
  readonly prefix: string
  readonly drivers: readonly string[]
}

/** Reads `+49=a` or `*=b,a`. Throws `usage`. */
export function parseRoute(text: string, names: readonly string[]): DriverRoute {
  const [, prefix = '', list = ''] = /^\s*(\*|\+?\d+)\s*=(.*)$/.exec(text) ?? []
  const drivers = list.split(',').map(name => name.trim())
  if (prefix === '' || drivers.includes('')) {
    throw new RelayError('usage', `--route must be PREFIX=DRIVER; not "${text}".`, {
      hint: 'Such as +49=a, or *=b,a for all others: first b, and a when b cannot.',
    })
  }
  const unknown = drivers.find(name => !names.includes(name))
  if (unknown !== undefined) {
    throw new RelayError('usage', `--route names "${unknown}", but there is no such --driver.`, {
      hint: `There are ${names.join(', ')}.`,
    })
  }
  return { prefix: prefix === '*' ? '' : prefix, drivers: [...new Set(drivers)] }
}

/** The route with the longest prefix of a number; of two, the first. */
export function findRoute(
  routes: readonly DriverRoute[],
  destination: string,
): DriverRoute | undefined {
  const [best] = routes
    .filter(({ prefix }) => destination.startsWith(prefix))
    .sort((a, b) => b.prefix.length - a.prefix.length)
  return best
}

/** Whether another driver may send what one has failed with: only when it surely was not sent. */
export function canFailOver(error: unknown): error is DriverError {
  return error instanceof DriverError && (error.kind === 'trouble' || error.kind === 'retry')
}
