import { expect, test } from 'vitest'
import { Transaction } from '../../../../../src/server/store/lowdb/engine/transaction.js'
import { Indexes } from '../../../../../src/server/store/lowdb/indexes/indexes.js'
import { createCollections } from '../../../../../src/server/store/lowdb/records/collections.js'
import { messageWith, start } from '../../rig.js'

test('undo restores a record that changed more than once', () => {
  const data = createCollections()
  const indexes = new Indexes(data)
  new Transaction(data, indexes).put('message', 'm1', messageWith('m1'))
  const transaction = new Transaction(data, indexes)
  transaction.put('message', 'm1', messageWith('m1', { sendAt: start + 5 }))
  transaction.put('message', 'm1', null)
  transaction.put('message', 'm1', messageWith('m1', { status: 'S' }))
  transaction.put('message', 'm2', messageWith('m2'))
  transaction.undo()
  expect([...data.message.values()]).toEqual([messageWith('m1')])
  expect(indexes.messages.findFirstAvailable('a')).toMatchObject({ id: 'm1', at: start })
  expect(indexes.messages.getList('a').listSlots()).toEqual([0])
})

test('a second undo has no effect', () => {
  const data = createCollections()
  const indexes = new Indexes(data)
  const transaction = new Transaction(data, indexes)
  transaction.put('message', 'm1', messageWith('m1'))
  transaction.undo()
  new Transaction(data, indexes).put('message', 'm1', messageWith('m1'))
  transaction.undo()
  expect(data.message.size).toBe(1)
})
