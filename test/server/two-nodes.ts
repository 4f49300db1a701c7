import { expect, onTestFinished } from 'vitest'
import { type Relay, RelayClient, type RelayOverrides } from '../../src/index.js'
import { createRelay } from '../quick-relay.js'
import { FakeClock } from '../util/async/fake-clock.js'

/** Opens a node on a database that stops at the end of the test. */
export async function openNode(url: string, overrides?: RelayOverrides): Promise<Relay> {
  const relay = await createRelay({ database: { url }, port: 0 }, overrides)
  onTestFinished(async () => await relay.stop())
  return relay
}

/**
 * Starts two nodes on a database, with a clock that moves only when the test moves it. They stop at
 * the end of the test.
 */
export async function startNodesWithClock(url: string) {
  const clock = new FakeClock()
  const open = async () =>
    await createRelay({ database: { url }, port: 0 }, { clock, now: clock.now })
  const nodes = [await open(), await open()] as const
  onTestFinished(async () => {
    let isRunning = true
    const stopped = Promise.all(nodes.map(node => node.stop())).finally(() => {
      isRunning = false
    })
    while (isRunning) await clock.pass(5)
    await stopped
  })
  for (const node of nodes) await node.start()
  return { clock, nodes }
}

/** Has a phone at the last of the nodes wait, and creates a message at the first one. */
export async function claimAtAnotherNode(nodes: readonly Relay[]): Promise<void> {
  const [first, last] = [nodes.at(0), nodes.at(-1)] as [Relay, Relay]
  const account = await first.administration.createAccount({ email: 'ann@example.com' })
  const { secret_key: user, api_key: api, app_key: app } = account
  const sender = new RelayClient({ url: first.url, credentials: { user, password: api } })
  const phone = new RelayClient({ url: last.url, credentials: { user, password: app } })
  const claimed = phone.messages.next({ wait: 20_000 })
  const { id } = await sender.messages.create({ destination: '+12025550123', message: 'Hello' })
  expect(await claimed).toMatchObject({ id })
}

/** Waits until a value is as expected; meanwhile at most a second passes on the nodes' clock. */
export async function expectWithinSecond<T>(
  clock: FakeClock,
  read: () => Promise<T>,
  expected: T,
): Promise<void> {
  const end = clock.monotonic() + 1000
  const readLater = async () => {
    clock.advance(Math.min(20, end - clock.monotonic()))
    return await read()
  }
  await expect.poll(readLater).toEqual(expected)
}
