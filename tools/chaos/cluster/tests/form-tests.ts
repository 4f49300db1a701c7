import { setTimeout as sleep } from 'node:timers/promises'
import { errorText } from '../../../../src/errors.js'
import { Cluster } from '../cluster.js'
import type { ClusterTest, TestContext, TestResult } from '../cluster-test.js'
import { Person } from '../person.js'

const personCount = 4
/** Milliseconds: the longest pause between two faults. */
const longestPause = 750

const sendForms: ClusterTest = {
  name: 'K15',
  title: 'Forms of four people; connections cut, and `kill -9` of random nodes',
  run: async context => {
    const options = { nodes: 3, isIdle: true }
    const cluster = await Cluster.create(context.processes, options, context.random)
    try {
      return await disturbPeople(cluster, context)
    } finally {
      await cluster.close()
    }
  },
}

export const formTests = [sendForms]

async function disturbPeople(cluster: Cluster, context: TestContext): Promise<TestResult> {
  const { port, keys } = cluster
  const people = Array.from({ length: personCount }, () => new Person(port, keys))
  for (const person of people) await person.signIn()
  const names: string[] = []
  let isDone = false
  const sendUntilDone = async (person: Person, at: number): Promise<void> => {
    for (let count = 0; !isDone; count += 1) {
      const name = `form ${at} ${count}`
      await person.send('/send', { destination: '+12025550123', message: name })
      names.push(name)
    }
  }
  const sending = Promise.allSettled(people.map(sendUntilDone))
  const made = await makeFaults(cluster, context)
  isDone = true
  const failures = (await sending).flatMap(each =>
    each.status === 'rejected' ? [errorText(each.reason)] : [],
  )
  const sum = (key: 'unanswered' | 'waits') =>
    people.reduce((total, person) => total + person[key], 0)
  const note =
    `${names.length} messages; ${sum('unanswered')} requests without a reply, ` +
    `${sum('waits')} pages "not available"`
  return { made, note, violations: [...failures, ...(await findViolations(cluster, names))] }
}

/** Resolves to the number of faults. */
async function makeFaults(cluster: Cluster, { random, quick }: TestContext): Promise<number> {
  const rounds = quick ? 2 : 20
  for (let round = 0; round < rounds; round += 1) {
    await sleep(random.below(longestPause))
    cluster.balancer.cutAll()
    await sleep(random.below(longestPause))
    const node = cluster.nodes[random.below(cluster.nodes.length)]
    if (node !== undefined) await cluster.killNode(node)
  }
  return 2 * rounds
}

/** What was not sent exactly once. */
async function findViolations(
  { integrator }: Cluster,
  names: readonly string[],
): Promise<string[]> {
  const texts = (await integrator.list()).map(({ text }) => text)
  return names.flatMap(name => {
    const count = texts.filter(each => each === name).length
    return count === 1 ? [] : [`the message of ${name} was made ${count} times`]
  })
}
