import { describe, expect, test } from 'vitest'
import type { Account } from '../../../../src/domain/account/account.js'
import type { Message } from '../../../../src/domain/message/message.js'
import { lease, minute, second, World } from '../world.js'

interface Scene {
  world: World
  account: Account
  phone: string
}

async function open(): Promise<Scene> {
  const world = await World.open()
  const account = await world.account()
  return { world, account, phone: await world.phone(account) }
}

interface Waiting {
  readonly given: Promise<Message | undefined>
  readonly over: boolean
}

async function wait(
  { world, account, phone }: Scene,
  options: { wait?: number; signal?: AbortSignal } = {},
): Promise<Waiting> {
  const given = world.claims.next(account, phone, { wait: minute, ...options })
  const waiting = { given, over: false }
  const end = () => {
    waiting.over = true
  }
  given.then(end, end)
  await world.flush()
  return waiting
}

describe('a phone that waits', () => {
  test('gets a scheduled message exactly when it is due', async () => {
    const scene = await open()
    const { world, account } = scene
    const { id } = await world.create(account, { at: world.time + 10 * second })
    const waiting = await wait(scene)
    await world.advance(10 * second - 1)
    await world.flush()
    expect(waiting.over).toBe(false)
    await world.advance(1)
    expect(await waiting.given).toMatchObject({ id })
  })

  test('gets a message that is edited to be due, and one that is unlocked', async () => {
    const scene = await open()
    const { world, account, phone } = scene
    const { id } = await world.create(account, { at: world.time + 1000 * minute })
    const edited = await wait(scene)
    await world.messages.edit(account, id, { sendAt: world.time })
    expect(await edited.given).toMatchObject({ id })
    await world.messages.lock(account, id)
    const unlocked = await wait(scene)
    expect(unlocked.over).toBe(false)
    await world.messages.unlock(account, id)
    expect(await unlocked.given).toMatchObject({ id, lease: { holder: phone } })
  })

  test('gets the message of another phone when that lease ends', async () => {
    const scene = await open()
    const { world, account } = scene
    const { id } = await world.create(account)
    await world.next(account, await world.phone(account))
    const waiting = await wait(scene, { wait: 10 * minute })
    await world.advance(lease - 1)
    await world.flush()
    expect(waiting.over).toBe(false)
    await world.advance(1)
    expect(await waiting.given).toMatchObject({ id, lease: { holder: scene.phone } })
  })

  test('keeps waiting after a message to a listed number', async () => {
    const scene = await open()
    const { world, account } = scene
    await world.doNotText.add({ scope: '*', country: '' }, '+12025550143')
    const waiting = await wait(scene)
    expect(await world.create(account)).toMatchObject({ status: 'B' })
    await world.flush()
    expect(waiting.over).toBe(false)
    const { id } = await world.create(account, { to: '+12025550144' })
    expect(await waiting.given).toMatchObject({ id })
  })

  test('gets nothing exactly when its time is over', async () => {
    const scene = await open()
    const { world } = scene
    const waiting = await wait(scene)
    await world.advance(minute - 1)
    await world.flush()
    expect(waiting.over).toBe(false)
    await world.advance(1)
    expect(await waiting.given).toBeUndefined()
  })

  test('gets nothing when the services stop, and at once afterwards', async () => {
    const scene = await open()
    const waiting = await wait(scene)
    scene.world.claims.stop()
    expect(await waiting.given).toBeUndefined()
    expect(await (await wait(scene)).given).toBeUndefined()
  })

  test('gets nothing when its account is removed', async () => {
    const scene = await open()
    const { world, account } = scene
    const waiting = await wait(scene)
    await world.store.accounts.remove(account.id)
    expect(await waiting.given).toBeUndefined()
  })
})

describe('a message is not claimed', () => {
  test('for a client that disconnected as it became due; another one gets it', async () => {
    const scene = await open()
    const { world, account } = scene
    const client = new AbortController()
    const gone = await wait(scene, { signal: client.signal })
    const other = await wait({ ...scene, phone: await world.phone(account) })
    world.store.watch(() => client.abort())
    const { id } = await world.create(account)
    expect(await gone.given).toBeUndefined()
    expect(await other.given).toMatchObject({ id })
  })

  test('for a client that disconnected before', async () => {
    const scene = await open()
    const { id } = await scene.world.create(scene.account)
    const waiting = await wait(scene, { signal: AbortSignal.abort() })
    expect(await waiting.given).toBeUndefined()
    expect(await scene.world.read(id)).not.toHaveProperty('lease')
  })

  test('for a token that was revoked during the wait; another one gets it', async () => {
    const scene = await open()
    const { world, account, phone } = scene
    const revoked = await wait(scene)
    const other = await wait({ ...scene, phone: await world.phone(account) })
    await world.store.tokens.remove({ id: phone })
    const { id } = await world.create(account)
    expect(await revoked.given).toBeUndefined()
    expect(await other.given).toMatchObject({ id })
  })
})

describe('many phones that wait', () => {
  const many = Array.from({ length: 32 }, (_, n) => n)

  async function crowd(scene: Scene): Promise<Waiting[]> {
    const { world, account } = scene
    const phones = await Promise.all(many.map(() => world.phone(account)))
    return await Promise.all(phones.map(phone => wait({ ...scene, phone })))
  }

  const readGiven = async (crowded: readonly Waiting[]) =>
    (await Promise.all(crowded.map(({ given }) => given))).map(message => message?.id).toSorted()

  type Creation = () => Promise<Message>
  const createInTurn = async (creations: Creation[]) => {
    const made: Message[] = []
    for (const create of creations) made.push(await create())
    return made
  }

  test.each([
    ['at once', (creations: Creation[]) => Promise.all(creations.map(create => create()))],
    ['one after the other', createInTurn],
  ])('each get one of as many messages created %s', async (_, makeAll) => {
    const scene = await open()
    const crowded = await crowd(scene)
    const made = await makeAll(many.map(() => () => scene.world.create(scene.account)))
    expect(await readGiven(crowded)).toEqual(made.map(({ id }) => id).toSorted())
  })

  test('are served in the order of their requests', async () => {
    const scene = await open()
    const crowded = await crowd(scene)
    for (const waiting of crowded.slice(0, 5)) {
      const { id } = await scene.world.create(scene.account)
      expect(await waiting.given).toMatchObject({ id })
    }
    expect(crowded.slice(5).filter(waiting => waiting.over)).toEqual([])
  })
})
