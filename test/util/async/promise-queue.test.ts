import { expect, test } from 'vitest'
import { PromiseQueue } from '../../../src/util/async/promise-queue.js'

test('work runs one piece at a time, in the order of the calls', async () => {
  const queue = new PromiseQueue()
  const log: string[] = []
  const work = (name: string) => async (): Promise<string> => {
    log.push(`${name} starts`)
    await new Promise(resolve => setImmediate(resolve))
    log.push(`${name} ends`)
    return name
  }
  const results = ['a', 'b', 'c'].map(name => queue.run(work(name)))
  expect(await Promise.all(results)).toEqual(['a', 'b', 'c'])
  expect(log).toEqual(['a', 'b', 'c'].flatMap(name => [`${name} starts`, `${name} ends`]))
})

test('an error reaches its own caller and the next piece runs', async () => {
  const queue = new PromiseQueue()
  const failed = queue.run(() => Promise.reject(new Error('disk full')))
  const thrown = queue.run(() => {
    throw new Error('no number')
  })
  const next = queue.run(() => 'next')
  await expect(failed).rejects.toThrow('disk full')
  await expect(thrown).rejects.toThrow('no number')
  expect(await next).toBe('next')
})

test('idle resolves when everything that was queued has settled', async () => {
  const queue = new PromiseQueue()
  let done = false
  void queue.run(async () => {
    await new Promise(resolve => setImmediate(resolve))
    done = true
  })
  await queue.idle()
  expect(done).toBe(true)
})
