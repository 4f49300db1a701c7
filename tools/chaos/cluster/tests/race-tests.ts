import type { HttpReply } from '../../harness/http-client.js'
import { Cluster, requestToken } from '../cluster.js'
import type { ClusterTest, TestContext, TestResult } from '../cluster-test.js'
import { NodeClient } from '../node-client.js'

const number = '+12025550123'
/** Rounds of a race that run at the same time. */
const parallel = 8
const maxViolations = 10
const batchSize = 500

type Clients = readonly [NodeClient, NodeClient]

/** Sends the same request to two nodes at once; resolves to what is wrong with the replies. */
type Race = (clients: Clients, round: number) => Promise<string[]>

const repeatKey: Race = async (clients, round) => {
  const message = { destination: number, message: `race ${round}`, send_on: '2099-01-01 00:00:00' }
  const replies = await askBoth(
    clients,
    async client =>
      await client.ask('POST', '/api/1/message', { message }, { 'idempotency-key': `k${round}` }),
  )
  const ids = new Set(replies.map(getMessageId))
  const isGood = replies.every(({ status }) => status === 200) && ids.size === 1
  return isGood ? [] : [`one key had the replies ${JSON.stringify(replies)}`]
}

const useLastUse: Race = async (clients, round) => {
  const [one] = clients
  const draft = { name: `race ${round}`, destination: number, message: 'race', rate: '1/d' }
  const created = await one.ask('POST', '/api/1/url', draft)
  const { id, url = '' } = (created.body as { url: { id: string; url?: string } }).url
  const replies = await askBoth(
    clients,
    async client => await client.ask('POST', new URL(url).pathname),
  )
  await one.ask('DELETE', `/api/1/url/${id}`)
  const accepted = replies.filter(({ status }) => status === 200).length
  return accepted === 1 ? [] : [`the last use had the replies ${JSON.stringify(replies)}`]
}

const takeAlias: Race = async (clients, round) => {
  const alias = `race-${round}`
  const mailbox = { name: 'race', alias, destinations: [number], senders: ['*'] }
  const replies = await askBoth(
    clients,
    async client => await client.ask('POST', '/api/1/mailbox', mailbox),
  )
  const created = replies.filter(({ status }) => status === 200)
  for (const { body } of created) {
    const { id } = (body as { mailbox: { id: string } }).mailbox
    await clients[0].ask('DELETE', `/api/1/mailbox/${id}`)
  }
  return created.length === 1 ? [] : [`one alias had the replies ${JSON.stringify(replies)}`]
}

const raceRequests: ClusterTest = {
  name: 'K6',
  title: 'On two nodes at once: one idempotency key, the last use of a secret URL, one alias',
  run: async context =>
    await runWithClients(context, 'api_key', async clients => {
      const rounds = context.quick ? 30 : 10_000
      const wrong: string[] = []
      for (const race of [repeatKey, useLastUse, takeAlias]) {
        wrong.push(...(await repeatRace(clients, race, rounds)))
      }
      return { made: 3 * rounds, violations: wrong }
    }),
}

const claimTwice: ClusterTest = {
  name: 'K7',
  title: 'NEXT of one token on two nodes at once',
  run: async context =>
    await runWithClients(context, 'app_key', async (clients, create) => {
      const rounds = context.quick ? 50 : 10_000
      const violations: string[] = []
      for (let round = 0; round < rounds && violations.length < maxViolations; round += 1) {
        if (round % batchSize === 0) await create(Math.min(batchSize, rounds - round))
        const replies = await askBoth(
          clients,
          async client =>
            await client.ask('NEXT', '/api/1/message', undefined, { prefer: 'wait=10' }),
        )
        const ids = new Set(replies.map(getMessageId))
        const [id] = ids
        if (ids.size !== 1 || id === undefined) {
          violations.push(`two NEXT had the replies ${JSON.stringify(replies)}`)
        }
        for (const each of ids) {
          await clients[round % 2]?.ask('PUT', `/api/1/message/${each}/success`, { parts: 1 })
        }
      }
      return { made: rounds, violations }
    }),
}

export const raceTests = [raceRequests, claimTwice]

/** Runs two idle nodes with a client of each. */
async function runWithClients(
  { processes, random }: TestContext,
  kind: 'api_key' | 'app_key',
  run: (clients: Clients, create: (count: number) => Promise<void>) => Promise<TestResult>,
): Promise<TestResult> {
  const cluster = await Cluster.create(processes, { nodes: 2, isIdle: true }, random)
  const clients: NodeClient[] = []
  try {
    const [first = 0, second = 0] = cluster.nodes.map(({ port }) => port)
    // Both clients have one token.
    const token = await requestToken(first, cluster.keys, kind)
    clients.push(new NodeClient(first, token), new NodeClient(second, token))
    const create = async (count: number): Promise<void> => {
      const drafts = Array.from({ length: count }, () => ({ text: 'race', destination: number }))
      await cluster.integrator.createBatch(drafts, new AbortController().signal)
    }
    return await run(clients as unknown as Clients, create)
  } finally {
    for (const client of clients) client.close()
    await cluster.close()
  }
}

async function repeatRace(clients: Clients, race: Race, rounds: number): Promise<string[]> {
  const wrong: string[] = []
  let round = 0
  const work = async (): Promise<void> => {
    while (round < rounds && wrong.length < maxViolations) {
      round += 1
      wrong.push(...(await race(clients, round)))
    }
  }
  await Promise.all(Array.from({ length: parallel }, work))
  return wrong
}

async function askBoth(
  clients: Clients,
  ask: (client: NodeClient) => Promise<HttpReply>,
): Promise<HttpReply[]> {
  return await Promise.all(clients.map(ask))
}

function getMessageId({ body }: HttpReply): string | undefined {
  return (body as { message?: { id: string } }).message?.id
}
