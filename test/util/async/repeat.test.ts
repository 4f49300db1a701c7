import { expect, test } from 'vitest'
import { repeat } from '../../../src/util/async/repeat.js'
import { FakeClock } from './fake-clock.js'

function repeatCounted(task: (nth: number) => Promise<void> = async () => {}) {
  const clock = new FakeClock()
  const errors: unknown[] = []
  let runs = 0
  const run = async (): Promise<void> => {
    runs += 1
    await task(runs)
  }
  const repeated = repeat(1000, run, { clock, onError: error => errors.push(error) })
  const pass = (milliseconds: number): Promise<void> => clock.pass(milliseconds)
  return { repeated, errors, clock, pass, count: () => runs }
}

/** A task that lasts until `open` is called. */
function createLongTask() {
  let open = (): void => {}
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  return { open, task: async () => await opened }
}

test('a task is repeated until it is stopped', async () => {
  const { repeated, clock, pass, count } = repeatCounted()
  repeated.start()
  await pass(999)
  expect(count()).toBe(0)
  await pass(1)
  expect(count()).toBe(1)
  await pass(2000)
  expect(count()).toBe(3)
  await repeated.stop()
  await pass(5000)
  expect(count()).toBe(3)
  expect(clock.pending).toBe(0)
})

test('a task does not run before the start', async () => {
  const { pass, count } = repeatCounted()
  await pass(5000)
  expect(count()).toBe(0)
})

test('the errors of a task are reported, and it is repeated', async () => {
  const { repeated, errors, pass } = repeatCounted(async nth => {
    throw new Error(`run ${nth}`)
  })
  repeated.start()
  await pass(2000)
  expect(errors).toEqual([new Error('run 1'), new Error('run 2')])
})

test('the interval begins at the end of a run', async () => {
  const { open, task } = createLongTask()
  const { repeated, pass, count } = repeatCounted(task)
  repeated.start()
  await pass(5000)
  expect(count()).toBe(1)
  open()
  await new Promise(resolve => setImmediate(resolve))
  await pass(999)
  expect(count()).toBe(1)
  await pass(1)
  expect(count()).toBe(2)
})

test('stop waits for the run in progress, and no other run follows', async () => {
  const { open, task } = createLongTask()
  const { repeated, pass, count } = repeatCounted(task)
  repeated.start()
  await pass(1000)
  let stopped = false
  const stopping = repeated.stop().then(() => {
    stopped = true
  })
  await pass(1000)
  expect(stopped).toBe(false)
  open()
  await stopping
  await pass(5000)
  expect(count()).toBe(1)
})

test('stop before the start, and a second stop, do nothing', async () => {
  const { repeated, pass, count } = repeatCounted()
  await repeated.stop()
  repeated.start()
  await repeated.stop()
  await repeated.stop()
  await pass(5000)
  expect(count()).toBe(0)
})
