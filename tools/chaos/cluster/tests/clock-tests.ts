import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { preloadVariables } from '../../injection/crash-point.js'
import { Cluster, requestToken } from '../cluster.js'
import { type ClusterTest, runUnderLoad, type TestContext } from '../cluster-test.js'
import { NodeClient } from '../node-client.js'

const number = '+12025550123'
/** Milliseconds. */
const shift = 600_000
/** Seconds of a lease in this test. */
const lease = 5
const schedule = 3000
/** Milliseconds: times have whole seconds, and the two clocks here are read one after the other. */
const tolerance = 20

const moveClocks: ClusterTest = {
  name: 'K9',
  title: 'Wall clocks of the nodes 20 minutes apart',
  run: async context => {
    const times = await checkTimes(context)
    const configure = configureClocks(context)
    const result = await runUnderLoad(context, { nodes: 2, configure }, async cluster => {
      const messages = context.quick ? 20 : 500
      await cluster.waitForMore(messages)
      return { made: times.made }
    })
    return { ...result, violations: [...times.wrong, ...result.violations] }
  },
}

export const clockTests = [moveClocks]

/** The first node's clock is late, the second one's early. */
function configureClocks({ processes }: TestContext) {
  const directory = processes.makeDirectory()
  return (at: number) => {
    const clock = join(directory, `clock-${at}`)
    writeFileSync(clock, String((at * 2 - 1) * shift))
    return { variables: { [preloadVariables.clock]: clock } }
  }
}

/** Scheduled messages and leases, claimed on either node. */
async function checkTimes(context: TestContext): Promise<{ made: number; wrong: string[] }> {
  const configure = configureClocks(context)
  const options = {
    nodes: 2,
    isIdle: true,
    configure: (at: number) => ({ ...configure(at), args: ['--lease', String(lease)] }),
  }
  const cluster = await Cluster.create(context.processes, options, context.random)
  const phones: NodeClient[] = []
  try {
    for (const { port } of cluster.nodes) {
      phones.push(new NodeClient(port, await requestToken(port, cluster.keys, 'app_key')))
    }
    const rounds = context.quick ? 1 : 4
    const wrong: string[] = []
    for (let round = 0; round < rounds; round += 1) {
      const [one, other] = round % 2 === 0 ? phones : phones.toReversed()
      const { port } = cluster.nodes[round % 2] ?? { port: 0 }
      const creator = new NodeClient(port, await requestToken(port, cluster.keys))
      if (one !== undefined && other !== undefined) {
        wrong.push(...(await checkSchedule(creator, one, other)))
      }
      creator.close()
    }
    return { made: rounds, wrong }
  } finally {
    for (const phone of phones) phone.close()
    await cluster.close()
  }
}

async function checkSchedule(
  creator: NodeClient,
  one: NodeClient,
  other: NodeClient,
): Promise<string[]> {
  const due = Math.ceil((Date.now() + schedule) / 1000) * 1000
  const sendOn = new Date(due).toISOString().slice(0, 19).replace('T', ' ')
  await creator.ask('POST', '/api/1/message', {
    message: { destination: number, message: 'scheduled', send_on: sendOn },
  })
  const id = await claim(one)
  const early = due - Date.now()
  const again = await claim(other)
  // The lease began when the message was due, or later.
  const held = Date.now() - due
  await other.ask('PUT', `/api/1/message/${again}/success`, { parts: 1 })
  return [
    ...(id === undefined || id !== again ? [`phones got ${id} and then ${again}`] : []),
    ...(early > tolerance ? [`a message was given ${early} ms early`] : []),
    ...(held < lease * 1000 - tolerance ? [`a lease ended after ${held} ms`] : []),
  ]
}

async function claim(phone: NodeClient): Promise<string | undefined> {
  const { body } = await phone.ask('NEXT', '/api/1/message', undefined, { prefer: 'wait=20' })
  return (body as { message?: { id: string } }).message?.id
}
