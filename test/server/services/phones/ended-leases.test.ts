import { describe, expect, test } from 'vitest'
import type { Account } from '../../../../src/domain/account/account.js'
import {
  type Attempt,
  listAttempts,
  noReportError,
} from '../../../../src/domain/message/attempts.js'
import type { Message } from '../../../../src/domain/message/message.js'
import { ClaimService } from '../../../../src/server/services/phones/claim-service.js'
import { PhoneService } from '../../../../src/server/services/phones/phone-service.js'
import { openNodes, storeCases } from '../service-nodes.js'
import { hour, lease, minute, World } from '../world.js'

const unreported = { outcome: 'unknown', error: noReportError }

type OpenedNode = Awaited<ReturnType<typeof openNodes>>['nodes'][0]

function createNode({ context, messages }: OpenedNode, account: Account) {
  const phones = new PhoneService(context)
  const introduce = (name: string): void => {
    const caller = { account, holder: name, kind: 'app', role: 'admin' } as const
    phones.trackNext(caller, { name: `phone ${name}` })()
  }
  const claims = new ClaimService(context, lease, phones)
  return { store: context.store, messages, phones, claims, introduce }
}

describe.each(storeCases)('%s', (_, open) => {
  /** Two nodes with their phones; each phone asks with a token of its name. */
  async function openPhones() {
    const { nodes, account, clock } = await openNodes(open)
    const [one, other] = [createNode(nodes[0], account), createNode(nodes[1], account)]
    const { messages, tokens } = one.store
    for (const id of ['a', 'b', 'c'])
      await tokens.put({ id, account: account.id, kind: 'app', expiresAt: clock.now() + hour })
    const create = async (): Promise<string> => {
      const draft = { destination: '+12025550143', text: 'hello', sendAt: undefined }
      return (await one.messages.accept(account, draft, 'api')).id
    }
    const list = async (id: string): Promise<Attempt[]> =>
      listAttempts((await messages.get(account.id, id)) as Message)
    return { one, other, account, clock, create, list }
  }

  test('a message that another phone claims names the phone that did not report', async () => {
    const { one, other, account, clock, create, list } = await openPhones()
    const id = await create()
    one.introduce('a')
    expect((await one.claims.next(account, 'a'))?.id).toBe(id)
    await one.phones.save()
    const began = clock.now()
    clock.advance(lease + minute)
    other.introduce('b')
    expect((await other.claims.next(account, 'b'))?.id).toBe(id)
    const first = { ...unreported, at: began + lease, beganAt: began, phone: 'phone a' }
    expect(await list(id)).toEqual([first])
    clock.advance(lease)
    expect((await other.claims.next(account, 'c'))?.id).toBe(id)
    const second = { at: began + 2 * lease + minute, phone: 'phone b' }
    expect(await list(id)).toMatchObject([first, second])
  })

  test('a batch has the messages of all phones that did not report, and new ones', async () => {
    const { one, other, account, clock, create, list } = await openPhones()
    const ids = [await create(), await create()]
    for (const phone of ['a', 'b']) {
      one.introduce(phone)
      await one.claims.next(account, phone)
    }
    await one.phones.save()
    clock.advance(lease)
    ids.push(await create())
    other.introduce('c')
    const batch = await other.claims.nextBatch(account, 'c', { count: 3, since: 0 })
    expect(batch?.messages.map(each => each.id).toSorted()).toEqual(ids.toSorted())
    const claims = batch?.messages.map(({ lease: given }) => given?.claim) ?? []
    expect(claims).toEqual(claims.toSorted())
    expect(batch?.claim).toBe(claims.at(-1))
    const phones = await Promise.all(ids.map(async id => (await list(id))[0]?.phone))
    expect(phones).toEqual(['phone a', 'phone b', undefined])
    expect(
      await other.claims.nextBatch(account, 'c', { count: 3, since: batch?.claim ?? 0 }),
    ).toBeUndefined()
  })
})

test('a phone that no relay saw again is named after a crash', async () => {
  const world = await World.open()
  const account = await world.account()
  const [holder, other] = [await world.phone(account), await world.phone(account)]
  const { id } = await world.create(account)
  const caller = { account, holder, kind: 'app', role: 'admin' } as const
  new PhoneService(world.context).trackNext(caller, { name: 'attic' })()
  expect(await world.next(account, holder)).toBe(id)
  await world.flush()
  // Nothing is saved at the end of a process that is killed.
  await world.restart()
  await world.advance(lease)
  expect(await world.next(account, other)).toBe(id)
  const message = await world.read(id)
  expect(message && listAttempts(message)).toMatchObject([{ ...unreported, phone: 'attic' }])
})
