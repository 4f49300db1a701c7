import { describe, expect, onTestFinished, test } from 'vitest'
import { Sandbox } from '../../../../src/server/services/phones/sandbox.js'
import type { Store } from '../../../../src/server/store/store.js'
import { createSoleLeases } from '../../../../src/server/store/worker-leases.js'
import { hour, lease, minute, second, World } from '../world.js'

const succeeds = '+12025551212'
const fails = '+12025551213'

async function open(before: (world: World) => Promise<unknown> = async () => {}) {
  const world = await World.open()
  const account = await world.account()
  await before(world)
  const sandbox = new Sandbox(world.context)
  onTestFinished(() => sandbox.stop())
  const become = async (id: string, expected: object) => {
    const readNow = async () => {
      await world.advance(0)
      return await world.read(id)
    }
    await expect.poll(readNow).toMatchObject(expected)
  }
  /** Waits until all due messages are handled. */
  const settle = async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      await world.advance(0)
      await world.flush()
    }
  }
  const advance = async (milliseconds: number) => {
    await settle()
    await world.advance(milliseconds)
    await settle()
  }
  return { world, account, phone: await world.phone(account), sandbox, become, settle, advance }
}

describe('the sandbox', () => {
  test.each([succeeds, '5551212', '555-1212', '+1 (808) 555-1212'])(
    'sends a message to %s at once',
    async to => {
      const { world, account, sandbox, settle } = await open()
      await sandbox.start()
      const { id } = await world.create(account, { to })
      await settle()
      expect(await world.read(id)).toMatchObject({ status: 'S', failures: 0, parts: 1 })
    },
  )

  test('counts the parts of a long message', async () => {
    const { world, account, sandbox, settle } = await open()
    await sandbox.start()
    const draft = { destination: succeeds, text: 'x'.repeat(161) }
    const { id } = await world.messages.accept(account, draft, 'api')
    await settle()
    expect(await world.read(id)).toMatchObject({ status: 'S', parts: 2 })
  })

  test('fails a message to the other test number five times within seconds', async () => {
    const { world, account, sandbox, settle, advance } = await open()
    await sandbox.start()
    const { id } = await world.create(account, { to: fails })
    await settle()
    for (const n of [1, 2, 3, 4]) {
      expect(await world.read(id)).toMatchObject({ status: 'E', failures: n })
      await advance(499)
      expect(await world.read(id)).toMatchObject({ status: 'E', failures: n })
      await advance(1)
    }
    expect(await world.read(id)).toMatchObject({ status: 'F', failures: 5 })
    const failed = await world.store.events.listAfter(account.id, 'message.failed', 0, 10)
    expect(failed.map(event => event.message)).toEqual([id])
  })

  test('fails a message further that a phone has failed', async () => {
    const { world, account, phone, sandbox, advance } = await open()
    const { id } = await world.create(account, { to: fails })
    await world.next(account, phone)
    await world.failed(account, phone, id)
    await sandbox.start()
    for (let n = 1; n <= 4; n += 1) await advance(500)
    expect(await world.read(id)).toMatchObject({ status: 'F', failures: 5 })
  })

  test('sends a scheduled message exactly when it is due', async () => {
    const { world, account, sandbox, advance } = await open()
    await sandbox.start()
    const { id } = await world.create(account, { to: succeeds, at: world.time + 3 * hour })
    await advance(3 * hour - 1)
    expect(await world.read(id)).toMatchObject({ status: 'N' })
    await advance(1)
    expect(await world.read(id)).toMatchObject({ status: 'S', statusAt: world.time })
  })

  test('follows an edit of the time and of the number', async () => {
    const { world, account, sandbox, settle, advance } = await open()
    await sandbox.start()
    const { id } = await world.create(account, { to: succeeds, at: world.time + hour })
    const real = await world.create(account, { to: '+12025550143' })
    await world.messages.edit(account, id, { sendAt: world.time + 2 * hour })
    await world.messages.edit(account, real.id, { destination: succeeds })
    await settle()
    expect(await world.read(real.id)).toMatchObject({ status: 'S' })
    await advance(hour)
    expect(await world.read(id)).toMatchObject({ status: 'N' })
    await advance(hour)
    expect(await world.read(id)).toMatchObject({ status: 'S' })
  })

  test('ignores other numbers, and locked, deleted and blocked messages', async () => {
    const { world, account, sandbox, advance } = await open()
    await world.doNotText.add({ scope: '*', country: '' }, '+18085551212')
    await sandbox.start()
    const at = world.time + minute
    const ids: string[] = []
    for (const to of ['+12025550143', '+12025551214', succeeds, succeeds, '+18085551212']) {
      ids.push((await world.create(account, { to, at })).id)
    }
    await world.messages.lock(account, ids[2] ?? '')
    await world.messages.remove(account, ids[3] ?? '')
    await advance(1000 * hour)
    const states = await Promise.all(ids.map(id => world.read(id)))
    expect(states.map(message => message?.status)).toEqual(['N', 'N', 'L', 'D', 'B'])
  })

  test('ignores a leased message until its lease ends', async () => {
    const { world, account, phone, sandbox, advance } = await open()
    const { id } = await world.create(account, { to: succeeds })
    await world.next(account, phone)
    await sandbox.start()
    await advance(lease - 1)
    expect(await world.read(id)).toMatchObject({ status: 'N' })
    await advance(1)
    expect(await world.read(id)).toMatchObject({ status: 'S' })
  })

  test('starts with all waiting messages of all accounts', async () => {
    const ids: string[] = []
    const { world, sandbox, become } = await open(async world => {
      for (const account of [await world.account(), await world.account()]) {
        const many = Array.from({ length: 250 }, () => world.create(account, { to: succeeds }))
        ids.push(...(await Promise.all(many)).map(({ id }) => id))
      }
    })
    // A write in progress makes each page take a turn of the event loop.
    const busy = world.flush()
    await sandbox.start()
    await busy
    for (const id of ids) await become(id, { status: 'S' })
  })

  test('changes nothing after a stop', async () => {
    const { world, account, sandbox, settle, advance } = await open()
    await sandbox.start()
    const failing = await world.create(account, { to: fails })
    await settle()
    sandbox.stop()
    const { id } = await world.create(account, { to: succeeds })
    await advance(1000 * hour)
    expect(await world.read(id)).toMatchObject({ status: 'N' })
    expect(await world.read(failing.id)).toMatchObject({ status: 'E', failures: 1 })
  })

  test('has no timer after a stop during a report', async () => {
    const { world, account, sandbox, settle } = await open()
    await sandbox.start()
    const { id } = await world.create(account, { to: fails })
    await world.flush()
    world.clock.advance(0)
    sandbox.stop()
    await settle()
    expect(await world.read(id)).toMatchObject({ status: 'E', failures: 1 })
    expect(world.clock.pending).toBe(0)
  })
})

describe('on several nodes', () => {
  test('each attempt at a test number counts once', async () => {
    const { world, account, sandbox, settle, advance } = await open()
    const other = new Sandbox(world.context)
    onTestFinished(() => other.stop())
    await Promise.all([sandbox.start(), other.start()])
    const sent = await world.create(account, { to: succeeds })
    const failed = await world.create(account, { to: fails })
    await settle()
    for (const n of [1, 2, 3, 4]) {
      expect(await world.read(failed.id)).toMatchObject({ status: 'E', failures: n })
      await advance(500)
    }
    expect(await world.read(failed.id)).toMatchObject({ status: 'F', failures: 5 })
    const list = async (name: 'message.sent' | 'message.failed') =>
      (await world.store.events.listAfter(account.id, name, 0, 10)).map(event => event.message)
    expect([await list('message.sent'), await list('message.failed')]).toEqual([
      [sent.id],
      [failed.id],
    ])
  })

  test('the one with the lease of the account handles what another node created', async () => {
    const { world, account, advance } = await open()
    let hasLease = false
    let tellLeases = () => {}
    const leases = createSoleLeases()
    const store: Store = {
      ...world.store,
      watch: listener =>
        world.store.watch(change => {
          const foreign = { messages: true, subscriptions: false }
          listener({ ...change, messages: [], foreign })
        }),
      workerLeases: {
        ...leases,
        find: id => (hasLease ? leases.find(id) : undefined),
        watch: listener => {
          tellLeases = listener
          return () => {}
        },
      },
    }
    const node = new Sandbox({ ...world.context, store })
    onTestFinished(() => node.stop())
    await node.start()
    const first = await world.create(account, { to: succeeds })
    await advance(minute)
    expect(await world.read(first.id)).toMatchObject({ status: 'N' })
    hasLease = true
    tellLeases()
    await advance(5 * second)
    await advance(0)
    expect(await world.read(first.id)).toMatchObject({ status: 'S' })
    const scheduled = await world.create(account, { to: succeeds, at: world.time + hour })
    await advance(hour)
    expect(await world.read(scheduled.id)).toMatchObject({ status: 'S', statusAt: world.time })
  })
})
