import { type Figure, limitFigure } from '../result.js'
import type { ApiClient } from './api-client.js'

/** The value that 99 of 100 do not exceed; NaN for no values. */
export function getP99(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN
}

const pause = 5
/** Milliseconds of the measurement without abuse. */
const idleTime = 1000

/**
 * Starts `abuse` and measures another client meanwhile.
 * @returns the p99 of its requests, after that of the idle relay for comparison
 */
export async function compareOtherClient(
  client: ApiClient,
  abuse: () => Promise<unknown>,
): Promise<Figure[]> {
  const idle = new Promise(resolve => setTimeout(resolve, idleTime))
  const before = getP99(await measureOtherClient(client, idle))
  const during = getP99(await measureOtherClient(client, abuse()))
  return [
    { what: 'p99 of another client before', value: before, unit: 'ms' },
    limitFigure('p99 of another client', during, 'ms', 100),
  ]
}

/**
 * While `work` is in progress, another client creates a message, reads it and lists; resolves to
 * the milliseconds of each request.
 */
async function measureOtherClient(client: ApiClient, work: Promise<unknown>): Promise<number[]> {
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  const times: number[] = []
  const time = async (method: string, path: string, fields?: object) => {
    const from = performance.now()
    const body = await client.get(method, path, fields)
    times.push(performance.now() - from)
    return body
  }
  while (!isDone) {
    const draft = { destination: '+12025550123', message: 'hello' }
    const made = (await time('POST', '/message', { message: draft })) as { message?: object }
    const { id } = made.message as { id: string }
    await time('GET', `/message/${id}`)
    await time('GET', '/message')
    await new Promise(resolve => setTimeout(resolve, pause))
  }
  await done
  return times
}
