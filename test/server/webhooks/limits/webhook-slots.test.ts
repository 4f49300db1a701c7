import { describe, expect, test } from 'vitest'
import { type WebhookLimits, WebhookSlots } from '../../../../src/server/webhooks/webhook-slots.js'
import { Metrics } from '../../../../src/util/collections/metrics.js'

/** Slots whose starts are recorded as `account host`. */
function openSlots(limits: Partial<WebhookLimits>) {
  const metrics = new Metrics()
  const many = { inFlight: 100, inFlightPerAccount: 100, inFlightPerHost: 100 }
  const slots = new WebhookSlots({ ...many, ...limits }, metrics)
  const started: string[] = []
  const inFlight: { account: string; release: () => void }[] = []
  const wait = (account: string, host = 'h', count = 1): void => {
    for (let nth = 0; nth < count; nth += 1) {
      void slots.acquire(account, host).then(release => {
        started.push(`${account} ${host}`)
        inFlight.push({ account, release })
      })
    }
  }
  /** Ends the account's oldest webhook. */
  const end = async (account: string): Promise<void> => {
    const at = inFlight.findIndex(each => each.account === account)
    inFlight.splice(at, 1)[0]?.release()
    await settle()
  }
  const countInFlight = (account: string): number =>
    inFlight.filter(each => each.account === account).length
  return { slots, metrics, started, wait, end, countInFlight }
}

/** Waits for so many turns of the event loop. */
async function settle(turns = 20): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise(resolve => setImmediate(resolve))
}

describe('the limit', () => {
  test('of an account lets more of its webhooks wait, and no other account', async () => {
    const { started, wait, end } = openSlots({ inFlightPerAccount: 2 })
    wait('a', 'h', 3)
    wait('b')
    await settle()
    expect(started).toEqual(['a h', 'a h', 'b h'])
    await end('a')
    expect(started).toHaveLength(4)
  })

  test('of a host lets its webhooks wait, and no other host of the account', async () => {
    const { started, wait, end } = openSlots({ inFlightPerHost: 1 })
    wait('a', 'slow', 3)
    wait('a', 'fast')
    wait('b', 'slow')
    await settle()
    expect(started).toEqual(['a slow', 'a fast', 'b slow'])
    await end('a')
    expect(started).toEqual(['a slow', 'a fast', 'b slow', 'a slow'])
  })

  test('of all accounts is shared: a free slot goes to the account with the fewest', async () => {
    const { wait, end, countInFlight } = openSlots({ inFlight: 8 })
    wait('a', 'h', 50)
    await settle()
    wait('b', 'h', 50)
    wait('c', 'h', 2)
    for (let ended = 0; ended < 6; ended += 1) await end('a')
    expect(['a', 'b', 'c'].map(countInFlight)).toEqual([3, 3, 2])
  })

  test('accounts with as many in flight take turns', async () => {
    const { started, wait, end } = openSlots({ inFlight: 1 })
    for (const account of ['a', 'b', 'c']) wait(account, 'h', 2)
    await settle()
    for (const account of ['a', 'a', 'b', 'c', 'b']) await end(account)
    expect(started).toEqual(['a h', 'a h', 'b h', 'c h', 'b h', 'c h'])
  })
})

test('hosts of an account take turns, and each host serves the longest wait first', async () => {
  const { started, wait, end } = openSlots({ inFlightPerAccount: 1 })
  wait('a', 'one', 3)
  wait('a', 'two', 2)
  await settle()
  for (let ended = 0; ended < 4; ended += 1) await end('a')
  expect(started).toEqual(['a one', 'a one', 'a two', 'a one', 'a two'])
})

test('an account that asks while many slots are free does not wait for the others', async () => {
  const { started, wait } = openSlots({})
  wait('a', 'h', 90)
  await settle(1)
  expect(started.length).toBeLessThan(90)
  wait('b')
  await settle(1)
  expect(started.indexOf('b h')).toBeLessThan(50)
  await settle()
  expect(started).toHaveLength(91)
})

test('a close lets all who wait continue, and later ones do not wait', async () => {
  const { slots, started, wait } = openSlots({ inFlight: 1 })
  wait('a', 'h', 3)
  await settle()
  expect(started).toHaveLength(1)
  slots.close()
  await settle()
  wait('a')
  await settle()
  expect(started).toHaveLength(4)
})

test('the backlog is counted', async () => {
  const { metrics, wait, end } = openSlots({ inFlightPerAccount: 1 })
  wait('a', 'h', 3)
  await settle()
  const waiting = 'webhook_backlog{state="waiting"}'
  const inFlight = 'webhook_backlog{state="in_flight"}'
  expect(metrics.values()).toMatchObject({ [waiting]: 2, [inFlight]: 1 })
  for (let ended = 0; ended < 3; ended += 1) await end('a')
  expect(metrics.values()).toMatchObject({ [waiting]: 0, [inFlight]: 0 })
})
