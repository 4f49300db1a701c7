import { expect, test } from 'vitest'
import { Semaphore } from '../../../src/util/async/semaphore.js'

test('two run at once, three wait in order, and one more is refused', async () => {
  const semaphore = new Semaphore(2, 3)
  const works = Array.from({ length: 5 }, () => createWork())
  const started: number[] = []
  const runs = works.map(({ promise }, n) =>
    semaphore.run(async () => {
      started.push(n)
      await promise
    }),
  )
  await expect(semaphore.run(async () => {})).rejects.toMatchObject({
    code: 'unavailable',
    retryAfter: 1,
  })
  expect(started).toEqual([0, 1])
  works[1]?.fail(new Error('broken'))
  await expect(runs[1]).rejects.toThrow('broken')
  await expect.poll(() => started).toEqual([0, 1, 2])
  for (const { finish } of works) finish()
  await Promise.allSettled(runs)
  expect(started).toEqual([0, 1, 2, 3, 4])
  expect(await semaphore.run(async () => 'free again')).toBe('free again')
})

test('any number may wait by default', async () => {
  const semaphore = new Semaphore(1)
  const results = Array.from({ length: 100 }, (_, n) => semaphore.run(async () => n))
  expect(await Promise.all(results)).toEqual(Array.from({ length: 100 }, (_, n) => n))
})

function createWork() {
  let finish = (): void => {}
  let fail = (_: Error): void => {}
  const promise = new Promise<void>((resolve, reject) => {
    finish = resolve
    fail = reject
  })
  return { promise, finish, fail }
}
