import { expect, it } from 'vitest'
import { ProblemList } from '../../../src/domain/account/problem-list.js'

const text = { message: 'It is broken.', hint: 'Repair it.' }

it('lists the problems of the relay and of one account, oldest first', () => {
  const list = new ProblemList()
  list.set({ code: 'store_damaged', ...text })
  list.set({ code: 'paused', account: 'a', ...text })
  list.set({ code: 'paused', account: 'b', ...text })
  expect(list.list('a').map(({ code, account }) => [code, account])).toEqual([
    ['store_damaged', undefined],
    ['paused', 'a'],
  ])
})

it('has one problem for each code and account, until it is cleared', () => {
  const list = new ProblemList()
  list.set({ code: 'paused', account: 'a', ...text })
  list.set({ code: 'paused', account: 'a', ...text, message: 'It is worse.' })
  expect(list.list('a')).toMatchObject([{ message: 'It is worse.' }])
  list.clear('paused')
  expect(list.list('a')).toHaveLength(1)
  list.clear('paused', 'a')
  expect(list.list('a')).toEqual([])
})
