import type { ApiClient } from './api-client.js'

/** The value that 99 of 100 do not exceed; NaN for no values. */
export function getP99(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN
}

const pause = 5

/**
 * While `work` is in progress, another client creates a message, reads it and lists; resolves to
 * the milliseconds of each request.
 */
export async function measureOtherClient(
  client: ApiClient,
  work: Promise<unknown>,
): Promise<number[]> {
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
