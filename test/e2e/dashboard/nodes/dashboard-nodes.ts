import { newAccount } from '../../../../src/contract/account-schema.js'
import {
  type RunningServer,
  startPostgres,
} from '../../../server/store/postgres/postgres-process.js'
import { type AtEnd, makeHome, type Running } from '../../program.js'
import type { DashboardService } from '../dashboard-service.js'
import { type RequestBalancer, startRequestBalancer } from './request-balancer.js'

/** A relay of two nodes behind a balancer that sends each request to another node. */
export interface DashboardNodes extends DashboardService {
  readonly balancer: RequestBalancer
  readonly nodes: readonly DashboardNode[]
  readonly database: RunningServer
}

/** One node, with its restarts. */
export interface DashboardNode {
  readonly port: number
  isRunning(): boolean
  /** Ends it, as `kill -9` does. */
  kill(): Promise<void>
  /** Starts it again on the same port. */
  start(): Promise<void>
}

/** Starts the built relay as two nodes on a PostgreSQL of its own. */
export async function startDashboardNodes(): Promise<DashboardNodes> {
  const closing: (() => Promise<void>)[] = []
  const atEnd: AtEnd = close => closing.unshift(close)
  const database = await startPostgres()
  atEnd(database.stop)
  const home = await makeHome(undefined, { SMSRELAY_DATABASE_URL: database.url }, atEnd)
  const serve = (port: number) => home.start(['serve', '--port', `${port}`, '--json'])
  const first = serve(0)
  const owner = newAccount.parse(await first.line(({ event }) => event === 'account'))
  const nodes: DashboardNode[] = []
  for (const running of [first, serve(0)]) {
    nodes.push(createNode(await readPort(running), running, serve))
  }
  const balancer = await startRequestBalancer(nodes.map(({ port }) => port))
  atEnd(balancer.stop)
  const stop = async () => {
    for (const close of closing) await close()
  }
  return { home, url: balancer.url, owner, balancer, nodes, database, stop }
}

async function readPort(running: Running): Promise<number> {
  const { url } = await running.line(({ event }) => event === 'listening')
  return Number(new URL(String(url)).port)
}

function createNode(port: number, first: Running, serve: (port: number) => Running): DashboardNode {
  let running = first
  return {
    port,
    isRunning: () => running.child.signalCode === null,
    kill: async () => void (await running.end('SIGKILL')),
    start: async () => {
      running = serve(port)
      await readPort(running)
    },
  }
}
