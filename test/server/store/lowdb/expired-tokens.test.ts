import { expect, test } from 'vitest'
import type { Token } from '../../../../src/domain/account/account.js'
import { start } from '../rig.js'
import { createStore } from './lowdb-rig.js'

test('many expired tokens are removed in several commits; valid ones stay', async () => {
  const store = await createStore()
  const createToken = (number: number): Token => ({
    id: `t${number}`,
    account: 'a',
    kind: 'api',
    expiresAt: start + (number % 4 === 0 ? 1000 : 0),
  })
  await Promise.all(
    Array.from({ length: 2000 }, async (_, number) => await store.tokens.put(createToken(number))),
  )
  let commits = 0
  store.watch(() => {
    commits += 1
  })
  await store.tokens.removeExpired(start + 1)
  expect(commits).toBe(3)
  const left = await Promise.all(
    Array.from({ length: 2000 }, async (_, number) => await store.tokens.get(`t${number}`)),
  )
  expect(left.filter(token => token !== undefined)).toHaveLength(500)
})
