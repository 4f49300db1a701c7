import { Cluster, requestToken } from '../cluster.js'
import type { ClusterTest } from '../cluster-test.js'
import { NodeClient } from '../node-client.js'

const number = '+12025550123'
const later = '2099-01-01 00:00:00'
/** Good requests around each impossible one, at the same time. */
const neighbours = 20

/** Requests with a value that a text of PostgreSQL cannot hold. */
const impossible: ((client: NodeClient) => Promise<number>)[] = [
  client =>
    post(client, '/api/1/message', { message: { destination: `${number}\0`, message: 'x' } }),
  client => post(client, '/api/1/message', { message: { destination: number, message: 'x\0' } }),
  client =>
    post(client, '/api/1/message/batch', [
      { destination: number, message: 'x', send_on: later, idempotency_key: 'x\0' },
    ]),
  client => post(client, '/api/1/do-not-text', { number: `${number}\0` }),
  client => post(client, '/api/1/message/report', [{ id: 'x\0', success: { parts: 1 } }]),
  client => get(client, '/api/1/message/x%00'),
  client => get(client, '/api/1/subscription/x%00'),
  client => get(client, '/oauth/revoke?token=x%00'),
]

const sendImpossible: ClusterTest = {
  name: 'K13',
  title: 'An impossible value in a group of others',
  run: async ({ processes, random, quick }) => {
    const cluster = await Cluster.create(processes, { nodes: 2, isIdle: true }, random)
    const clients: NodeClient[] = []
    try {
      for (const { port } of cluster.nodes) {
        clients.push(new NodeClient(port, await requestToken(port, cluster.keys)))
      }
      const violations: string[] = []
      const rounds = quick ? 1 : 20
      for (let round = 0; round < rounds; round += 1) {
        const client = clients[round % clients.length]
        if (client !== undefined) violations.push(...(await sendAll(client)))
      }
      return { made: rounds * impossible.length, violations }
    } finally {
      for (const client of clients) client.close()
      await cluster.close()
    }
  },
}

export const valueTests = [sendImpossible]

/** Sends each impossible value among good ones; resolves to what is wrong. */
async function sendAll(client: NodeClient): Promise<string[]> {
  const wrong: string[] = []
  for (const [at, send] of impossible.entries()) {
    const message = { destination: number, message: 'possible', send_on: later }
    const good = Array.from({ length: neighbours }, () =>
      post(client, '/api/1/message', { message }),
    )
    const half = neighbours / 2
    const statuses = await Promise.all([...good.slice(0, half), send(client), ...good.slice(half)])
    const [bad = 0] = statuses.splice(half, 1)
    if (bad >= 500) wrong.push(`impossible value ${at} was answered ${bad}`)
    if (statuses.some(status => status !== 200)) {
      wrong.push(`beside impossible value ${at}, others were answered ${statuses.join()}`)
    }
  }
  return wrong
}

async function post(client: NodeClient, path: string, json: unknown): Promise<number> {
  return (await client.ask('POST', path, json)).status
}

async function get(client: NodeClient, path: string): Promise<number> {
  return (await client.ask('GET', path)).status
}
