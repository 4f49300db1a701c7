import { describe, expect, test } from 'vitest'
import type { Store } from '../../../../src/server/store/store.js'
import { temporaryFolder } from '../../../temporary-folder.js'
import { accept, acceptAll, listEvents } from '../rig.js'
import { createStore, openStore } from './lowdb-rig.js'

describe('event numbers, which all accounts share, only grow', () => {
  async function nextSeq(store: Store, id: string): Promise<number> {
    await accept(store, id, { account: 'probe' })
    return (await listEvents(store, 'probe')).at(-1)?.seq ?? 0
  }

  test('over the removal of all accounts and a restart', async () => {
    const folder = await temporaryFolder()
    const store = await openStore(folder)
    await acceptAll(store, ['m1', 'm2', 'm3'])
    await store.accounts.remove('a')
    expect(await nextSeq(store, 'p1')).toBe(4)
    await store.accounts.remove('probe')
    await store.close()
    expect(await nextSeq(await openStore(folder), 'p2')).toBe(5)
  })

  test('over a restart after a removal as the last change', async () => {
    const folder = await temporaryFolder()
    const store = await openStore(folder)
    await acceptAll(store, ['m1', 'm2'])
    await store.accounts.remove('a')
    await store.close()
    for (const id of ['p1', 'p2']) {
      const again = await openStore(folder)
      expect(await nextSeq(again, id)).toBe(id === 'p1' ? 3 : 4)
      await again.close()
    }
  })
})

test('a page of events has only durable ones', async () => {
  const store = await createStore()
  const order: string[] = []
  const accepted = accept(store, 'm1').then(() => order.push('accepted'))
  const { events } = await store.events.getPage({ account: 'a', after: 0, count: 100 })
  order.push(`read ${events.map(each => each.seq)}`)
  await accepted
  expect(order).toEqual(['accepted', 'read 1'])
})
