import {
  type Driver,
  DriverError,
  type DriverHealth,
  type DriverListener,
  type DriverMessage,
  type DriverWatch,
} from '../driver-port/driver.js'
import { isFailOver, type Route, routeOf } from './driver-route.js'

/**
 * A driver over others: a text goes by the route with the longest prefix of its number, through the first driver of that route
 * that takes it. The next one is asked only when the one before says `trouble` or `retry`, so surely has not sent it.
 */
export function createRoutedDriver(
  drivers: ReadonlyMap<string, Driver>,
  routes: readonly Route[],
): Driver {
  const all = [...drivers]
  const known = all.filter(([, driver]) => driver.health !== undefined)
  return {
    name: [...drivers.keys()].join(','),
    send: async (message, signal) => {
      const route = routeOf(routes, message.destination)
      if (route === undefined) throw new DriverError('fail', 'No --route is for this number.')
      const way = route.drivers.flatMap(name => {
        const driver = drivers.get(name)
        return driver === undefined ? [] : [{ name, driver }]
      })
      return await sendBy(way, message, signal)
    },
    watches: watchesOf(all),
    ...(known.length === 0 ? {} : { health: async () => await healthOf(known) }),
    listen: listener => {
      for (const [name, driver] of all) driver.listen?.(listenerOn(name, listener))
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(all.map(async ([, driver]) => await driver[Symbol.asyncDispose]()))
    },
  }
}

/** Sending works as long as one driver does; one without a line of its own is taken to. */
function watchesOf(drivers: Drivers): DriverWatch[] {
  const watches = drivers.flatMap(([name, driver]) =>
    (driver.watches ?? []).map(watch => watchOf(name, watch)),
  )
  const free = drivers.some(([, driver]) => driver.watches?.some(each => each.carries) !== true)
  return free ? watches.map(watch => ({ ...watch, carries: false })) : watches
}

function watchOf(name: string, { run, carries, ...watch }: DriverWatch): DriverWatch {
  return {
    name: `${name}: ${watch.name}`,
    carries,
    run: async (well, signal) => {
      try {
        await run(well, signal)
      } catch (error) {
        throw error instanceof DriverError ? named(name, error) : error
      }
    },
  }
}

function listenerOn(line: string, listener: DriverListener): DriverListener {
  return {
    received: text => listener.received({ ...text, line }),
    reported: report => listener.reported(report),
    ...(listener.since && {
      since: async name => (await listener.since?.(`${line} ${name}`)) ?? 0,
    }),
  }
}

type Drivers = readonly (readonly [string, Driver])[]

type Way = readonly { readonly name: string; readonly driver: Driver }[]

async function sendBy(way: Way, message: DriverMessage, signal: AbortSignal) {
  const errors: DriverError[] = []
  for (const { name, driver } of way) {
    try {
      return await driver.send(message, signal)
    } catch (error) {
      if (!isFailOver(error) || way.length === 1) throw error
      errors.push(named(name, error))
      if (signal.aborted) break
    }
  }
  throw together(errors)
}

function named(name: string, cause: DriverError): DriverError {
  const { kind, message, wait } = cause
  return new DriverError(kind, `${name}: ${message}`, { cause, wait })
}

/** One that was refused may be tried later; where all had trouble, the text has not been tried at all. */
function together(errors: readonly DriverError[]): DriverError {
  const kind = errors.some(error => error.kind === 'retry') ? 'retry' : 'trouble'
  const message = errors.map(error => error.message).join(' ')
  const wait = Math.max(...errors.map(error => error.wait))
  return new DriverError(kind, message, { cause: errors, wait })
}

async function healthOf(drivers: Drivers): Promise<DriverHealth> {
  const all = await Promise.all(
    drivers.map(async ([name, driver]) => ({ name, health: await asked(driver) })),
  )
  const detail = all.map(({ name, health }) => `${name}: ${health.detail ?? wellOrNot(health)}`)
  return { ok: all.every(({ health }) => health.ok), detail: detail.join(' ') }
}

async function asked(driver: Driver): Promise<DriverHealth> {
  try {
    return (await driver.health?.()) ?? { ok: true }
  } catch (error) {
    return { ok: false, detail: error instanceof Error ? error.message : String(error) }
  }
}

function wellOrNot({ ok }: DriverHealth): string {
  return ok ? 'Well.' : 'Not well.'
}
