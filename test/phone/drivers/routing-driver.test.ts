import { describe, expect, it } from 'vitest'
import { pickNetworkFields } from '../../../src/domain/phone/phone-network.js'
import {
  type Driver,
  DriverError,
  type DriverErrorKind,
} from '../../../src/phone/driver-port/driver.js'
import { createDriverSet, parseRoute } from '../../../src/phone/drivers/driver-set.js'
import { createRoutingDriver, findRoute } from '../../../src/phone/drivers/routing-driver.js'
import { expectUsageError } from './usage-error.js'

const text = { id: 'm', destination: '+4915112345678', text: 'Hello' }
const { signal } = new AbortController()

/** Drivers a, b and c that fail with the given kinds, and the names of those that were called. */
function createThree(kinds: Readonly<Record<string, DriverErrorKind | Error | undefined>>) {
  const called: string[] = []
  const closed: string[] = []
  const driver = (name: string): Driver => ({
    name,
    async send() {
      called.push(name)
      const kind = kinds[name]
      if (kind instanceof Error) throw kind
      if (kind !== undefined) throw new DriverError(kind, `${kind}.`)
      return { parts: 2 }
    },
    async [Symbol.asyncDispose]() {
      closed.push(name)
    },
  })
  const drivers = new Map(['a', 'b', 'c'].map(name => [name, driver(name)]))
  const by = (...routes: string[]) =>
    createRoutingDriver(
      drivers,
      routes.map(route => parseRoute(route, ['a', 'b', 'c'])),
    )
  return { called, closed, drivers, by }
}

describe('routes', () => {
  it.each([
    ['+4915112345678', ['c']],
    ['+4930123456', ['a', 'b']],
    ['+12025550123', ['b']],
    ['80808', ['b']],
  ])('%s has the route with the longest prefix', (destination, drivers) => {
    const routes = ['*=b', '+49=a, b', '+49151=c'].map(each => parseRoute(each, ['a', 'b', 'c']))
    expect(findRoute(routes, destination)?.drivers).toEqual(drivers)
  })

  it.each(['', 'a', '+49', '+49=', '+49=a,', 'x=a', '**=a'])(
    'the route "%s" is rejected',
    typed => {
      expectUsageError(() => parseRoute(typed, ['a']), '--route', `"${typed}"`)
    },
  )

  it('a route to an unknown driver is rejected', () => {
    expectUsageError(() => parseRoute('+49=z', ['a']), '"z"', '--driver')
  })
})

describe('several drivers', () => {
  it.each(['trouble', 'retry'] as const)('after %s the next driver sends', async kind => {
    const { called, by } = createThree({ a: kind })
    expect(await by('*=a,b,c').send(text, signal)).toEqual({ parts: 2, line: 'b' })
    expect(called).toEqual(['a', 'b'])
  })

  it.each([['fail'], ['unknown'], [new Error('unknown cause')]] as const)(
    'after %s no other driver is called',
    async kind => {
      const { called, by } = createThree({ a: kind })
      await expect(by('*=a,b').send(text, signal)).rejects.toThrow()
      expect(called).toEqual(['a'])
    },
  )

  it.each([
    ['trouble', 'trouble', 'trouble', 'a: trouble. b: trouble.'],
    ['trouble', 'retry', 'retry', 'a: trouble. b: retry.'],
    ['retry', 'trouble', 'retry', 'a: retry. b: trouble.'],
  ] as const)('%s and %s are combined to %s', async (a, b, kind, sentence) => {
    const { by } = createThree({ a, b })
    await expect(by('*=a,b').send(text, signal)).rejects.toMatchObject({ kind, message: sentence })
  })

  it('the longest wait of all drivers counts', async () => {
    const { drivers } = createThree({})
    const busy =
      (wait: number): Driver['send'] =>
      async () => {
        throw new DriverError('trouble', 'busy', { wait })
      }
    Object.assign(drivers.get('a') ?? {}, { send: busy(5000) })
    Object.assign(drivers.get('b') ?? {}, { send: busy(2000) })
    const routed = createRoutingDriver(drivers, [parseRoute('*=a,b', ['a', 'b'])])
    await expect(routed.send(text, signal)).rejects.toMatchObject({ kind: 'trouble', wait: 5000 })
  })

  it('a number without a route fails', async () => {
    const { called, by } = createThree({})
    await expect(by('+1=a').send(text, signal)).rejects.toMatchObject({ kind: 'fail' })
    expect(called).toEqual([])
  })

  it('after a stop no other driver is called', async () => {
    const { called, by } = createThree({ a: 'trouble' })
    await expect(by('*=a,b').send(text, AbortSignal.abort())).rejects.toMatchObject({
      kind: 'trouble',
    })
    expect(called).toEqual(['a'])
  })

  it('health is good if it is good in all drivers that have one', async () => {
    const { by, drivers } = createThree({})
    expect(by('*=a').health).toBeUndefined()
    const health = async () => ({ ok: true, detail: 'Signal -71 dBm.' })
    drivers.set('a', { ...(drivers.get('a') as Driver), health })
    expect(await by('*=a').health?.()).toEqual({ ok: true, detail: 'a: Signal -71 dBm.' })
    const gone = async () => Promise.reject(new Error('Gone.'))
    drivers.set('b', { ...(drivers.get('b') as Driver), health: gone })
    expect(await by('*=a').health?.()).toMatchObject({ ok: false, detail: /b: Gone\.$/ })
  })

  it('all drivers get the listener and are closed', async () => {
    const { closed, drivers, by } = createThree({})
    const heard: string[] = []
    for (const [name, driver] of drivers) driver.listen = () => void heard.push(name)
    const driver = by('*=a')
    driver.listen?.({ onText: () => {}, onReceipt: () => {} })
    await driver[Symbol.asyncDispose]()
    expect([heard, closed]).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
    ])
  })
})

describe('a selection of drivers', () => {
  it.each([
    [['simulate', 'b=simulate'], [], {}, ['"simulate"', 'a=modem']],
    [['a=simulate', 'a=simulate'], [], {}, ['name', 'b=modem']],
    [['a=pigeon', 'b=simulate'], [], {}, ['"pigeon"']],
    [['a=simulate', 'b=simulate'], [], { seed: '1' }, ['"seed"', 'a.seed']],
    [['a=simulate', 'b=simulate'], [], { 'c.seed': '1' }, ['"c.seed"']],
    [['a=simulate', 'b=simulate'], [], { 'a.baud': '1' }, ['simulate', '"baud"']],
    [['a=simulate'], ['*=b'], {}, ['"b"', '--driver']],
    [['simulate'], ['*=a'], {}, ['--route', 'a=modem']],
  ])('%j %j %j is rejected', (drivers, routes, options, values) => {
    expectUsageError(() => createDriverSet({ drivers, routes, options }), ...values)
  })

  it('one driver needs no name', () => {
    expect(createDriverSet({ drivers: ['simulate'], options: { seed: '1' } }).name).toBe('simulate')
  })

  it('without a route all drivers are tried in their order', async () => {
    const driver = createDriverSet({
      drivers: ['a=simulate', 'b=simulate'],
      options: { 'a.failure-rate': '1' },
    })
    expect(await driver.send(text, signal)).toEqual({ line: 'b' })
  })
})

describe('the networks of drivers', () => {
  const readNetwork = async (networks: readonly Driver['readNetwork'][]) => {
    const { drivers } = createThree({})
    const named = [...drivers].map(([name, driver], at) => {
      const read = networks[at]
      return [name, { ...driver, ...(read && { readNetwork: read }) }] as const
    })
    return await createRoutingDriver(new Map(named), []).readNetwork?.()
  }

  it('one network is reported as it is', async () => {
    const network = { signal: '-71 dBm', operator: 'One' }
    expect(await readNetwork([undefined, async () => network])).toEqual(network)
    expect(await readNetwork([])).toBe(undefined)
  })

  it('several have the names of their drivers, as the relay accepts them', async () => {
    const network = await readNetwork([
      async () => ({ signal: '-71 dBm', operator: 'One' }),
      async () => await Promise.reject(new DriverError('trouble', 'No modem.')),
      async () => ({ signal: '60 %', operator: 'Two' }),
    ])
    const joined = { signal: 'a: -71 dBm, c: 60 %', operator: 'a: One, c: Two' }
    expect(network).toEqual(joined)
    expect(pickNetworkFields(joined)).toEqual(joined)
    expect(pickNetworkFields({ signal: 'a: loud', operator: 'One' })).toEqual({ operator: 'One' })
  })

  it('drivers that know nothing report nothing', async () => {
    expect(await readNetwork([async () => ({}), async () => ({})])).toEqual({})
  })
})
