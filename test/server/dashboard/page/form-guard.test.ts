import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { FormGuard } from '../../../../src/server/dashboard/page/form-guard.js'
import type { PageResult } from '../../../../src/server/dashboard/page/page.js'

test('of equal forms at once, one at a time runs until one has its effect', async () => {
  const guard = new FormGuard(() => 0)
  const running: ((reply: PageResult) => void)[] = []
  const send = async () =>
    await guard.runOpenOnce(
      { path: '/login', address: '192.0.2.1' },
      { key: 'a'.repeat(16) },
      async () => {
        return await new Promise<PageResult>(resolve => running.push(resolve))
      },
    )
  const results = [send(), send(), send(), send()]
  const replies = [
    { seeOther: '/a', isError: true },
    { seeOther: '/b', isError: true },
  ]
  for (const [index, reply] of [...replies, { seeOther: '/c' }].entries()) {
    await setImmediate()
    expect(running).toHaveLength(index + 1)
    running[index]?.(reply)
  }
  const done = { seeOther: '/c' }
  expect(await Promise.all(results)).toEqual([...replies, done, done])
  expect(running).toHaveLength(3)
})

test('the forms of one address never evict those of another', async () => {
  const guard = new FormGuard(() => 0)
  let runs = 0
  const send = async (address: string, key: string) =>
    await guard.runOpenOnce(
      { path: '/login', address },
      { key: key.padStart(16, '0') },
      async () => {
        runs += 1
        return { seeOther: '/' }
      },
    )
  await send('192.0.2.1', 'first')
  for (let n = 0; n < 1100; n += 1) await send('192.0.2.2', String(n))
  await send('192.0.2.1', 'first')
  for (const n of ['1000', '1099']) await send('192.0.2.2', n)
  expect(runs).toBe(1101)
})
