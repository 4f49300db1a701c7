import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from '../cluster.js'

const pollInterval = 500
/** Milliseconds of one request; a node waits 10 s for its database. */
const requestTimeout = 15_000

interface Answer {
  readonly status: number
  readonly retryAfter: string | undefined
}

/**
 * Creates messages on each node during an outage. Resolves to what is wrong: a node that never
 * answers 503, or answers it without Retry-After.
 */
export async function probeRefusal(
  { nodes, keys }: Cluster,
  milliseconds: number,
): Promise<string[]> {
  const pair = Buffer.from(`${keys.secret_key}:${keys.api_key}`).toString('base64')
  const probe = async (port: number, name: string): Promise<string[]> => {
    const end = performance.now() + milliseconds
    const answers: Answer[] = []
    while (performance.now() < end) {
      const answer = await ask(port, `Basic ${pair}`)
      if (answer !== undefined) answers.push(answer)
      await sleep(pollInterval)
    }
    const refused = answers.filter(({ status }) => status === 503)
    if (refused.length === 0) {
      const statuses = answers.map(({ status }) => status).join()
      return [`${name} never answered 503 but ${statuses || 'nothing'}`]
    }
    return refused.some(({ retryAfter }) => retryAfter === undefined)
      ? [`${name} answered 503 without Retry-After`]
      : []
  }
  const all = await Promise.all(nodes.map(({ port, settings }) => probe(port, settings.name)))
  return all.flat()
}

/** Asks for a token, which a node has to store. */
async function ask(port: number, authorization: string): Promise<Answer | undefined> {
  return await new Promise(resolve => {
    const sent = request(
      { host: '127.0.0.1', port, path: '/oauth', headers: { authorization } },
      response => {
        response.resume()
        const { statusCode = 0, headers } = response
        resolve({ status: statusCode, retryAfter: headers['retry-after'] })
      },
    )
    sent.setTimeout(requestTimeout, () => sent.destroy())
    sent.on('error', () => resolve(undefined)).end()
  })
}
