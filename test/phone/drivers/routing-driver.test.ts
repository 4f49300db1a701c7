import { describe, expect, it } from 'vitest'
import {
  type Driver,
  DriverError,
  type DriverErrorKind,
} from '../../../src/phone/driver-port/driver.js'
import { findRoute, parseRoute } from '../../../src/phone/drivers/driver-route.js'
import { createDriverSet } from '../../../src/phone/drivers/driver-set.js'
import { createRoutingDriver } from '../../../src/phone/drivers/routing-driver.js'

const text = { id: 'm', destination: '+4915112345678', text: 'Hello' }
const { signal } = new AbortController()

/** Drivers a, b and c that fail as they are told, and which of them were asked. */
function three(kinds: Readonly<Record<string, DriverErrorKind | Error | undefined>>) {
  const asked: string[] = []
  const closed: string[] = []
  const driver = (name: string): Driver => ({
    name,
    async send() {
      asked.push(name)
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
  return { asked, closed, drivers, by }
}

describe('a route', () => {
  it.each([
    ['+4915112345678', ['c']],
    ['+4930123456', ['a', 'b']],
    ['+12025550123', ['b']],
    ['80808', ['b']],
  ])('for %s', (destination, drivers) => {
    const routes = ['*=b', '+49=a, b', '+49151=c'].map(each => parseRoute(each, ['a', 'b', 'c']))
    expect(findRoute(routes, destination)?.drivers).toEqual(drivers)
  })

  it.each(['', 'a', '+49', '+49=', '+49=a,', 'x=a', '**=a'])('is not "%s"', typed => {
    expect(() => parseRoute(typed, ['a'])).toThrow(/--route must be PREFIX=DRIVER/)
  })

  it('names a driver that is there', () => {
    expect(() => parseRoute('+49=z', ['a'])).toThrow(/no such --driver/)
  })
})

describe('several drivers', () => {
  it.each(['trouble', 'retry'] as const)('the next sends what one says %s to', async kind => {
    const { asked, by } = three({ a: kind })
    expect(await by('*=a,b,c').send(text, signal)).toEqual({ parts: 2 })
    expect(asked).toEqual(['a', 'b'])
  })

  it.each([['fail'], ['unknown'], [new Error('who knows')]] as const)(
    'none sends what may have been sent, or never will be: %s',
    async kind => {
      const { asked, by } = three({ a: kind })
      await expect(by('*=a,b').send(text, signal)).rejects.toThrow()
      expect(asked).toEqual(['a'])
    },
  )

  it.each([
    ['trouble', 'trouble', 'trouble', 'a: trouble. b: trouble.'],
    ['trouble', 'retry', 'retry', 'a: trouble. b: retry.'],
    ['retry', 'trouble', 'retry', 'a: retry. b: trouble.'],
  ] as const)('%s and %s are %s', async (a, b, kind, sentence) => {
    const { by } = three({ a, b })
    await expect(by('*=a,b').send(text, signal)).rejects.toMatchObject({ kind, message: sentence })
  })

  it('the longest wait that one of them asks for counts', async () => {
    const { drivers } = three({})
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
    const { asked, by } = three({})
    await expect(by('+1=a').send(text, signal)).rejects.toMatchObject({ kind: 'fail' })
    expect(asked).toEqual([])
  })

  it('after a stop no other is asked', async () => {
    const { asked, by } = three({ a: 'trouble' })
    await expect(by('*=a,b').send(text, AbortSignal.abort())).rejects.toMatchObject({
      kind: 'trouble',
    })
    expect(asked).toEqual(['a'])
  })

  it('are well when all are that can tell', async () => {
    const { by, drivers } = three({})
    expect(by('*=a').health).toBeUndefined()
    const health = async () => ({ ok: true, detail: 'Signal -71 dBm.' })
    drivers.set('a', { ...(drivers.get('a') as Driver), health })
    expect(await by('*=a').health?.()).toEqual({ ok: true, detail: 'a: Signal -71 dBm.' })
    const gone = async () => Promise.reject(new Error('Gone.'))
    drivers.set('b', { ...(drivers.get('b') as Driver), health: gone })
    expect(await by('*=a').health?.()).toMatchObject({ ok: false, detail: /b: Gone\.$/ })
  })

  it('are all listened to, and closed', async () => {
    const { closed, drivers, by } = three({})
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

describe('what is typed', () => {
  it.each([
    [['simulate', 'b=simulate'], [], {}, /each needs a name/],
    [['a=simulate', 'a=simulate'], [], {}, /same name/],
    [['a=pigeon', 'b=simulate'], [], {}, /no driver "pigeon"/],
    [['a=simulate', 'b=simulate'], [], { seed: '1' }, /whose option is "seed"/],
    [['a=simulate', 'b=simulate'], [], { 'c.seed': '1' }, /whose option is "c.seed"/],
    [['a=simulate', 'b=simulate'], [], { 'a.baud': '1' }, /simulate driver has no option "baud"/],
    [['a=simulate'], ['*=b'], {}, /no such --driver/],
    [['simulate'], ['*=a'], {}, /needs drivers with names/],
  ])('%j %j %j is refused', (drivers, routes, options, sentence) => {
    expect(() => createDriverSet({ drivers, routes, options })).toThrow(sentence)
  })

  it('may be one driver, without a name', () => {
    expect(createDriverSet({ drivers: ['simulate'], options: { seed: '1' } }).name).toBe('simulate')
  })

  it('asks all in their order where no route is given', async () => {
    const driver = createDriverSet({
      drivers: ['a=simulate', 'b=simulate'],
      options: { 'a.failure-rate': '1' },
    })
    expect(await driver.send(text, signal)).toEqual({})
  })
})
