import { expect, test } from 'vitest'
import { accept } from '../rig.js'
import { createStore } from './lowdb-rig.js'

test('a page of events has only durable ones', async () => {
  const store = await createStore()
  const order: string[] = []
  const accepted = accept(store, 'm1').then(() => order.push('accepted'))
  const { events } = await store.events.getPage({ account: 'a', after: 0, count: 100 })
  order.push(`read ${events.map(each => each.seq)}`)
  await accepted
  expect(order).toEqual(['accepted', 'read 1'])
})
