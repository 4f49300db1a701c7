import { errorText } from '../../errors.js'
import {
  type Driver,
  DriverError,
  type DriverHealth,
  type DriverListener,
  type DriverMessage,
  type DriverWatch,
} from '../driver-port/driver.js'
import { canFailOver, type DriverRoute, findRoute } from './driver-route.js'

/**
 * A driver over others: a text goes by the route with the longest prefix of its number, through the first driver of that route
 * that takes it. The next one is asked only when the one before says `trouble` or `retry`, so surely has not sent it.
 */
export function createRoutingDriver(
  drivers: ReadonlyMap<string, Driver>,
  routes: readonly DriverRoute[],
): Driver {
  const all = [...drivers]
  const known = all.filter(([, driver]) => driver.health !== undefined)
  return {
    name: [...drivers.keys()].join(','),
    send: async (message, signal) => {
      const route = findRoute(routes, message.destination)
      if (route === undefined) throw new DriverError('fail', 'No --route is for this number.')
      const way = route.drivers.flatMap(name => {
        const driver = drivers.get(name)
        return driver === undefined ? [] : [{ name, driver }]
      })
      return await sendThrough(way, message, signal)
    },
    watches: collectWatches(all),
    ...(known.length === 0 ? {} : { health: async () => await combineHealth(known) }),
    listen: listener => {
      for (const [name, driver] of all) driver.listen?.(wrapListener(name, listener))
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(all.map(async ([, driver]) => await driver[Symbol.asyncDispose]()))
    },
  }
}

/** Sending works as long as one driver does; one without a line of its own is taken to. */
function collectWatches(drivers: NamedDrivers): DriverWatch[] {
  const watches = drivers.flatMap(([name, driver]) =>
    (driver.watches ?? []).map(watch => wrapWatch(name, watch)),
  )
  const free = drivers.some(
    ([, driver]) => driver.watches?.some(each => each.isRequiredToSend) !== true,
  )
  return free ? watches.map(watch => ({ ...watch, isRequiredToSend: false })) : watches
}

function wrapWatch(
  name: string,
  { run, isRequiredToSend: carries, ...watch }: DriverWatch,
): DriverWatch {
  return {
    name: `${name}: ${watch.name}`,
    isRequiredToSend: carries,
    run: async (well, signal) => {
      try {
        await run(well, signal)
      } catch (error) {
        throw error instanceof DriverError ? addDriverName(name, error) : error
      }
    },
  }
}

function wrapListener(line: string, listener: DriverListener): DriverListener {
  return {
    onText: text => listener.onText({ ...text, line }),
    onReceipt: report => listener.onReceipt(report),
    ...(listener.getFirstRun && {
      getFirstRun: async name => (await listener.getFirstRun?.(`${line} ${name}`)) ?? 0,
    }),
  }
}

type NamedDrivers = readonly (readonly [string, Driver])[]

type RouteDrivers = readonly { readonly name: string; readonly driver: Driver }[]

async function sendThrough(way: RouteDrivers, message: DriverMessage, signal: AbortSignal) {
  const errors: DriverError[] = []
  for (const { name, driver } of way) {
    try {
      return await driver.send(message, signal)
    } catch (error) {
      if (!canFailOver(error) || way.length === 1) throw error
      errors.push(addDriverName(name, error))
      if (signal.aborted) break
    }
  }
  throw combineErrors(errors)
}

function addDriverName(name: string, cause: DriverError): DriverError {
  const { kind, message, wait } = cause
  return new DriverError(kind, `${name}: ${message}`, { cause, wait })
}

/** One that was refused may be tried later; where all had trouble, the text has not been tried at all. */
function combineErrors(errors: readonly DriverError[]): DriverError {
  const kind = errors.some(error => error.kind === 'retry') ? 'retry' : 'trouble'
  const message = errors.map(error => error.message).join(' ')
  const wait = Math.max(...errors.map(error => error.wait))
  return new DriverError(kind, message, { cause: errors, wait })
}

async function combineHealth(drivers: NamedDrivers): Promise<DriverHealth> {
  const all = await Promise.all(
    drivers.map(async ([name, driver]) => ({ name, health: await getHealth(driver) })),
  )
  const detail = all.map(
    ({ name, health }) => `${name}: ${health.detail ?? describeHealth(health)}`,
  )
  return { ok: all.every(({ health }) => health.ok), detail: detail.join(' ') }
}

async function getHealth(driver: Driver): Promise<DriverHealth> {
  try {
    return (await driver.health?.()) ?? { ok: true }
  } catch (error) {
    return { ok: false, detail: errorText(error) }
  }
}

function describeHealth({ ok }: DriverHealth): string {
  return ok ? 'Well.' : 'Not well.'
}
