import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { readCpuTime } from '../../postgres/start-postgres.js'
import type { RunningProgram } from '../servers/program.js'

const settleTime = 3000

/** Opens the event streams of so many live pages, and measures the relay's share of a core. */
export async function measureLivePages(
  { url, pid }: RunningProgram,
  cookie: string,
  { pages, seconds }: { readonly pages: number; readonly seconds: number },
): Promise<number> {
  const streams = await Promise.all(
    Array.from({ length: pages }, async () => await openStream(url, cookie)),
  )
  await sleep(settleTime)
  const before = readCpuTime(pid)
  await sleep(seconds * 1000)
  const used = readCpuTime(pid) - before
  for (const close of streams) close()
  return used / (seconds * 1_000_000)
}

/** Opens an event stream; resolves after its first bytes to a function that closes it. */
async function openStream(url: string, cookie: string): Promise<() => void> {
  return await new Promise((resolve, reject) => {
    const headers = { cookie, accept: 'text/event-stream' }
    const request = get(`${url}/live`, { headers, agent: false }, response => {
      if (response.statusCode !== 200)
        return reject(new Error(`/live was answered with ${response.statusCode}.`))
      response.on('error', () => {})
      response.once('data', () => resolve(() => request.destroy()))
      return undefined
    })
    request.on('error', reject)
  })
}
