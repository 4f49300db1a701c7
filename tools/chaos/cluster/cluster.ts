import { setTimeout as sleep } from 'node:timers/promises'
import { HttpClient } from '../harness/http-client.js'
import { Integrator, type Keys } from '../harness/integrator.js'
import { Load } from '../harness/load.js'
import { assertCleanExit } from '../harness/phone-process.js'
import type { Processes } from '../harness/processes.js'
import type { Random } from '../random.js'
import { Balancer } from './balancer.js'
import type { ClusterHistory } from './check-cluster.js'
import { ClusterNode, type NodeSettings, type Owner } from './cluster-node.js'
import { ClusterPhone } from './cluster-phone.js'
import { DatabaseProxy } from './database-proxy.js'
import { DatabaseServer } from './database-server.js'
import { EventReceiver } from './event-receiver.js'
import { StreamFollower } from './stream-follower.js'

export interface ClusterOptions {
  readonly nodes: number
  /** Whether nothing is created or sent. @default false */
  readonly isIdle?: boolean
  /** Lines of postgresql.conf. @default none */
  readonly settings?: readonly string[]
  /** Clients that create messages at the same time. @default 6 */
  readonly creators?: number
  /** More settings of each node, by its number. @default none */
  readonly configure?: (at: number) => Pick<NodeSettings, 'variables' | 'args'>
  /** Prepares the database before a node starts. @default nothing */
  readonly prepare?: (database: DatabaseServer) => Promise<void>
}

const defaultCreators = 6
const phoneCount = 6
/** Messages whose webhooks have not arrived yet: many, as during a take-over. */
const maxUndelivered = 1000
const pollInterval = 100
/** Milliseconds without a webhook after which a test ends; a take-over lasts 35 s. */
const timeLimit = 120_000
/** Milliseconds until a client finds another way after a fault. */
const restartDelay = 200

/** Nodes on one database, a load balancer, creators, phones and receivers of webhooks. */
export class Cluster {
  readonly random: Random
  readonly database: DatabaseServer
  readonly databaseProxy: DatabaseProxy
  readonly nodes: readonly ClusterNode[]
  readonly balancer: Balancer
  /** The port of the balancer. */
  readonly port: number
  readonly keys: Owner
  readonly load: Load
  readonly integrator: Integrator
  readonly receivers: readonly EventReceiver[]
  readonly #phones: readonly ClusterPhone[]
  readonly #follower: StreamFollower

  private constructor(parts: ClusterParts, port: number, creators = defaultCreators) {
    this.random = parts.random
    this.database = parts.database
    this.databaseProxy = parts.databaseProxy
    this.nodes = parts.nodes
    this.balancer = parts.balancer
    this.port = port
    this.keys = parts.keys
    this.integrator = new Integrator(port, parts.keys)
    const options = { creators, batch: 1, failEvery: 0, signInOften: false, longest: 200 }
    this.load = new Load(this.integrator, () => this.#progress, options, parts.random)
    this.receivers = ['message.create', 'message.sent'].map(event => new EventReceiver(event))
    this.#phones = Array.from(
      { length: phoneCount },
      (_, at) => new ClusterPhone(`phone-${at}`, port, parts.keys),
    )
    this.#follower = new StreamFollower(port, () => requestToken(port, parts.keys))
  }

  /** Creates a cluster in which everything runs and messages are being created. */
  static async create(
    processes: Processes,
    options: ClusterOptions,
    random: Random,
  ): Promise<Cluster> {
    const database = await DatabaseServer.start(options.settings)
    const databaseProxy = new DatabaseProxy()
    databaseProxy.target = database.port
    const url = new URL(database.url)
    url.port = String(await databaseProxy.start())
    const balancer = new Balancer(random)
    const port = await balancer.start()
    const nodes: ClusterNode[] = []
    try {
      await options.prepare?.(database)
      for (let at = 0; at < options.nodes; at += 1) {
        const settings = { name: `node ${at}`, database: url.href, ...options.configure?.(at) }
        const node = new ClusterNode(processes, settings)
        nodes.push(node)
        await node.start()
        balancer.ports.add(node.port)
      }
      const [keys] = nodes.flatMap(({ owner }) => owner ?? [])
      if (keys === undefined) throw new Error('No node has created the owner.')
      const parts = { random, database, databaseProxy, nodes, balancer, keys }
      const cluster = new Cluster(parts, port, options.creators)
      if (options.isIdle !== true) await cluster.#start()
      return cluster
    } catch (error) {
      for (const node of nodes) await node.end('SIGKILL')
      await balancer.stop()
      await databaseProxy.stop()
      await database.stop()
      throw error
    }
  }

  get sentCount(): number {
    return this.#phones.reduce((sum, { sends }) => sum + sends.length, 0)
  }

  /** Messages that let the load continue: it is not far ahead of phones and receivers. */
  get #progress(): number {
    const delivered = Math.min(...this.receivers.map(({ messages }) => messages.size))
    return Math.min(this.sentCount, delivered + maxUndelivered)
  }

  /** Waits until so many more messages are accepted. */
  async waitForMore(messages: number): Promise<void> {
    await this.load.waitForAccepted(this.load.accepted.length + messages)
  }

  /** Kills a node under load and starts it again. */
  async killNode(node: ClusterNode): Promise<void> {
    this.balancer.remove(node.port)
    await node.end('SIGKILL')
    await node.start()
    this.balancer.ports.add(node.port)
  }

  /** Waits until everything is delivered, stops all, and collects what happened. */
  async collectHistory(): Promise<ClusterHistory> {
    await this.load.finish()
    await this.#waitUntilSettled()
    const listed = await this.integrator.list()
    const recorded = (await this.integrator.events()) ?? []
    await this.#follower.waitFor(recorded.at(-1)?.sequence ?? 0, timeLimit)
    for (const phone of this.#phones) await phone.stop()
    await this.#follower.stop()
    for (const node of this.nodes) {
      this.balancer.remove(node.port)
      const end = await node.end('SIGTERM')
      if (end !== undefined) assertCleanExit(end, node.settings.name, node.process)
    }
    return {
      accepted: this.load.accepted,
      sends: this.#phones.flatMap(({ sends }) => sends),
      listed,
      recorded,
      arrivals: new Map(this.receivers.map(({ event, arrivals }) => [event, arrivals])),
      followed: this.#follower.sequences,
    }
  }

  /** Kills what still runs. */
  async close(): Promise<void> {
    await this.load.abandon()
    for (const phone of this.#phones) await phone.stop().catch(() => {})
    await this.#follower.stop()
    for (const node of this.nodes) await node.end('SIGKILL')
    this.integrator.close()
    await this.balancer.stop()
    await this.databaseProxy.stop()
    for (const receiver of this.receivers) await receiver.stop()
    await this.database.stop()
  }

  async #start(): Promise<void> {
    for (const receiver of this.receivers) {
      await this.integrator.subscribe(receiver.event, await receiver.start(), true)
    }
    for (const phone of this.#phones) phone.start()
    this.#follower.start()
    this.load.start()
  }

  /** Waits until every webhook has arrived, or none does for the time limit. */
  async #waitUntilSettled(): Promise<void> {
    const { accepted } = this.load
    const isSettled = (): boolean =>
      this.receivers.every(({ messages }) => accepted.every(({ id }) => messages.has(id)))
    let arrived = 0
    for (let since = performance.now(); !isSettled(); await sleep(pollInterval)) {
      const count = this.receivers.reduce((sum, { messages }) => sum + messages.size, 0)
      if (count > arrived) [arrived, since] = [count, performance.now()]
      else if (performance.now() - since > timeLimit) break
    }
    await sleep(restartDelay)
  }
}

interface ClusterParts
  extends Pick<Cluster, 'random' | 'database' | 'databaseProxy' | 'nodes' | 'balancer' | 'keys'> {}

/** Gets a token of one of the account's keys. */
export async function requestToken(
  port: number,
  keys: Keys,
  kind: 'api_key' | 'app_key' = 'api_key',
): Promise<string> {
  const client = new HttpClient(port)
  try {
    const pair = Buffer.from(`${keys.secret_key}:${keys[kind]}`).toString('base64')
    const headers = { authorization: `Basic ${pair}` }
    const { status, body } = await client.request('GET', '/oauth', headers)
    if (status !== 200) throw new Error(`The reply to oauth was ${status}.`)
    return (body as { access_token: string }).access_token
  } finally {
    client.close()
  }
}
