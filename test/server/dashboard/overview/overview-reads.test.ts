import { expect, test } from 'vitest'
import { openStore } from '../../store/lowdb/lowdb-rig.js'
import { startRelay } from '../dashboard-relay.js'

/** Adds each call with its first argument to `calls`, of an object and of the objects in it. */
function recordCalls<T extends object>(target: T, calls: string[], name = ''): T {
  return new Proxy(target, {
    get: (_, key) => {
      const value: unknown = Reflect.get(target, key)
      const path = name === '' ? String(key) : `${name}.${String(key)}`
      if (typeof value === 'object' && value !== null) return recordCalls(value, calls, path)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => {
        calls.push(`${path}(${given[0] ?? ''})`)
        return Reflect.apply(value, target, given)
      }
    },
  })
}

test('the overview reads each list once, for what needs attention and for its cards', async () => {
  const calls: string[] = []
  const relay = await startRelay(
    {},
    { openStore: async folder => recordCalls(await openStore(folder), calls) },
  )
  const browser = await relay.openBrowser()
  calls.length = 0
  await browser.get('/')
  const count = (name: string): number => calls.filter(call => call === name).length
  const { id } = relay.ann
  for (const call of [`phones.list(${id})`, `subscriptions.list(${id})`, 'accounts.list(owners)'])
    expect(count(call), call).toBe(1)
  // The last hours, and the last days.
  expect(count(`statistics.getCounts(${id})`)).toBe(2)
})
