import { errorText } from '../../errors.js'
import {
  type Driver,
  DriverError,
  type DriverHealth,
  type DriverListener,
  type DriverMessage,
  type DriverNetwork,
  type DriverReceipt,
  type DriverWatch,
} from '../driver-port/driver.js'

export interface DriverRoute {
  /** Prefix of the route's phone numbers, such as `+49`; empty for all numbers. */
  readonly prefix: string
  readonly drivers: readonly string[]
}

type NamedDrivers = readonly (readonly [name: string, driver: Driver])[]

/**
 * Creates a driver that routes to several: a text takes the route with the longest prefix of its
 * number. The next driver of the route is tried only after `trouble` or `retry`, so the text is not
 * sent twice.
 */
export function createRoutingDriver(
  drivers: ReadonlyMap<string, Driver>,
  routes: readonly DriverRoute[],
): Driver {
  const all = [...drivers]
  const withHealth = all.filter(([, driver]) => driver.health !== undefined)
  return {
    name: [...drivers.keys()].join(','),
    concurrency: Math.min(
      all.reduce((sum, [, driver]) => sum + (driver.concurrency ?? 1), 0),
      1000,
    ),
    send: async (message, signal) => {
      const route = findRoute(routes, message.destination)
      if (route === undefined) {
        throw new DriverError('fail', `No --route matches ${message.destination}.`)
      }
      const onRoute = route.drivers.flatMap(name => {
        const driver = drivers.get(name)
        return driver === undefined ? [] : [[name, driver] as const]
      })
      return await sendThrough(onRoute, message, signal)
    },
    watches: collectWatches(all),
    ...(withHealth.length === 0 ? {} : { health: async () => await combineHealth(withHealth) }),
    ...wrapNetwork(all),
    listen: listener => {
      for (const [name, driver] of all) driver.listen?.(wrapListener(name, listener))
    },
    openWebhooks: () => all.flatMap(([, driver]) => driver.openWebhooks?.() ?? []),
    async [Symbol.asyncDispose]() {
      await Promise.all(all.map(async ([, driver]) => await driver[Symbol.asyncDispose]()))
    },
  }
}

/** The drivers' route with the longest prefix of a phone number; the first of several. */
export function findRoute(
  routes: readonly DriverRoute[],
  destination: string,
): DriverRoute | undefined {
  const [best] = routes
    .filter(({ prefix }) => destination.startsWith(prefix))
    .sort((a, b) => b.prefix.length - a.prefix.length)
  return best
}

/**
 * One driver without a required watch is enough to send, so then no watch of the routes is
 * required.
 */
function collectWatches(drivers: NamedDrivers): DriverWatch[] {
  const watches = drivers.flatMap(([name, driver]) =>
    (driver.watches ?? []).map(watch => wrapWatch(name, watch)),
  )
  const canAlwaysSend = drivers.some(
    ([, driver]) => driver.watches?.some(each => each.isRequiredToSend) !== true,
  )
  return canAlwaysSend ? watches.map(watch => ({ ...watch, isRequiredToSend: false })) : watches
}

function wrapWatch(name: string, { run, isRequiredToSend, ...watch }: DriverWatch): DriverWatch {
  return {
    name: `${name}: ${watch.name}`,
    isRequiredToSend,
    run: async (onWorking, signal) => {
      try {
        await run(onWorking, signal)
      } catch (error) {
        throw error instanceof DriverError ? addDriverName(name, error) : error
      }
    },
  }
}

function wrapListener(line: string, listener: DriverListener): DriverListener {
  return {
    onText: text => listener.onText({ ...text, line }),
    onReceipt: receipt => listener.onReceipt({ ...receipt, line }),
    ...(listener.isOwnReceipt && {
      isOwnReceipt: async (receipt, isCertain) =>
        (await listener.isOwnReceipt?.({ ...receipt, line }, isCertain)) ?? isCertain,
    }),
    ...(listener.onUndecodable && {
      onUndecodable: async received => await listener.onUndecodable?.({ ...received, line }),
    }),
    ...(listener.onIgnored && {
      onIgnored: ignored => listener.onIgnored?.({ ...ignored, line }),
    }),
    ...(listener.getFirstRun && {
      getFirstRun: async name => (await listener.getFirstRun?.(`${line} ${name}`)) ?? 0,
    }),
  }
}

async function sendThrough(
  drivers: NamedDrivers,
  message: DriverMessage,
  signal: AbortSignal,
): Promise<DriverReceipt> {
  const errors: DriverError[] = []
  for (const [name, driver] of drivers) {
    try {
      return { ...(await driver.send(message, signal)), line: name }
    } catch (error) {
      if (!canFailOver(error) || drivers.length === 1) throw error
      errors.push(addDriverName(name, error))
      if (signal.aborted) break
    }
  }
  throw combineErrors(errors)
}

/** Whether the route's next driver may send the text: only if this one certainly has not. */
function canFailOver(error: unknown): error is DriverError {
  return error instanceof DriverError && (error.kind === 'trouble' || error.kind === 'retry')
}

function addDriverName(name: string, cause: DriverError): DriverError {
  const { kind, message, wait } = cause
  return new DriverError(kind, `${name}: ${message}`, { cause, wait })
}

/**
 * Combines the errors of a route's drivers: `retry` counts as an attempt; if all had `trouble`, no
 * attempt was made.
 */
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
  const details = all.map(({ name, health: { ok, detail } }) => {
    return `${name}: ${detail ?? (ok ? 'Working.' : 'Not working.')}`
  })
  return { ok: all.every(({ health }) => health.ok), detail: details.join(' ') }
}

function wrapNetwork(drivers: NamedDrivers): Pick<Driver, 'readNetwork'> {
  const networked = drivers.filter(([, driver]) => driver.readNetwork !== undefined)
  const [only, ...others] = networked
  if (only === undefined) return {}
  const read = async (driver: Driver) => (await driver.readNetwork?.()) ?? {}
  if (others.length === 0) return { readNetwork: async () => await read(only[1]) }
  return {
    readNetwork: async () => {
      const all = await Promise.all(
        networked.map(async ([name, driver]) => {
          return { name, network: await read(driver).catch((): DriverNetwork => ({})) }
        }),
      )
      return joinNetworks(all)
    },
  }
}

function joinNetworks(
  all: readonly { readonly name: string; readonly network: DriverNetwork }[],
): DriverNetwork {
  const join = (field: keyof DriverNetwork) =>
    all
      .flatMap(({ name, network }) => (network[field] ? [`${name}: ${network[field]}`] : []))
      .join(', ')
  const [signal, operator] = [join('signal'), join('operator')]
  return { ...(signal && { signal }), ...(operator && { operator }) }
}

async function getHealth(driver: Driver): Promise<DriverHealth> {
  try {
    return (await driver.health?.()) ?? { ok: true }
  } catch (error) {
    return { ok: false, detail: errorText(error) }
  }
}
