import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { repeat } from '../../../src/util/async/repeat.js'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A chore of every second that counts its runs. */
function counted(task: (nth: number) => Promise<void> = async () => {}) {
  const errors: unknown[] = []
  let runs = 0
  const run = async (): Promise<void> => {
    runs += 1
    await task(runs)
  }
  const chore = repeat(1000, run, error => errors.push(error))
  onTestFinished(async () => await chore.stop())
  return { chore, errors, count: () => runs }
}

/** A task that takes until it is let go. */
function gate() {
  let open = (): void => {}
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  return { open, task: async () => await opened }
}

async function wait(milliseconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds)
}

test('a task is repeated until it is stopped', async () => {
  const { chore, count } = counted()
  chore.start()
  await wait(999)
  expect(count()).toBe(0)
  await wait(1)
  expect(count()).toBe(1)
  await wait(2000)
  expect(count()).toBe(3)
  await chore.stop()
  await wait(5000)
  expect(count()).toBe(3)
  expect(vi.getTimerCount()).toBe(0)
})

test('a task does not run before it is started', async () => {
  const { count } = counted()
  await wait(5000)
  expect(count()).toBe(0)
})

test('a task that fails is told, and repeated', async () => {
  const { chore, errors } = counted(async nth => {
    throw new Error(`run ${nth}`)
  })
  chore.start()
  await wait(2000)
  expect(errors).toEqual([new Error('run 1'), new Error('run 2')])
})

test('the interval begins when a run ended', async () => {
  const { open, task } = gate()
  const { chore, count } = counted(task)
  chore.start()
  await wait(5000)
  expect(count()).toBe(1)
  open()
  await wait(999)
  expect(count()).toBe(1)
  await wait(1)
  expect(count()).toBe(2)
})

test('stopping waits for the run in hand, and no other follows', async () => {
  const { open, task } = gate()
  const { chore, count } = counted(task)
  chore.start()
  await wait(1000)
  let stopped = false
  const stopping = chore.stop().then(() => {
    stopped = true
  })
  await wait(1000)
  expect(stopped).toBe(false)
  open()
  await stopping
  await wait(5000)
  expect(count()).toBe(1)
})

test('stopping what was not started, or twice, is fine', async () => {
  const { chore, count } = counted()
  await chore.stop()
  chore.start()
  await chore.stop()
  await chore.stop()
  await wait(5000)
  expect(count()).toBe(0)
})
