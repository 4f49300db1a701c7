import { randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { DatabaseNode } from '../../../../../src/server/store/postgres/workers/database-node.js'
import type { StoreChange } from '../../../../../src/server/store/store.js'
import { FakeClock } from '../../../../util/async/fake-clock.js'
import { connectToDatabase, openMigratedDatabase } from '../test-postgres.js'

/** A node on a database, with a clock that the test moves. */
export interface TestNode {
  readonly node: DatabaseNode
  readonly version: string
  readonly clock: FakeClock
  /** The changes that its listeners were told. */
  readonly changes: StoreChange[]
  readonly gaps: () => number
  /** The accounts whose leases it has. */
  readonly accounts: () => string[]
  readonly close: () => Promise<void>
}

/** Accounts of which some are in each share of the buckets. */
export const accounts = Array.from({ length: 300 }, (_, at) => `account-${at}`)

/** Opens nodes on a database without rows. */
export async function openNodes(count: number): Promise<{ url: string; nodes: TestNode[] }> {
  const url = await openMigratedDatabase()
  const nodes: TestNode[] = []
  for (let at = 0; at < count; at += 1) nodes.push(openNode(url))
  return { url, nodes }
}

/** @param isDeaf whether it gets no notifications, as behind some connection poolers */
export function openNode(url: string, isDeaf = false): TestNode {
  const clock = new FakeClock()
  const changes: StoreChange[] = []
  let gaps = 0
  const own = connectToDatabase(url)
  const sender = own.connect('other')
  const database = isDeaf ? { connect: (purpose: string) => own.connect(purpose) } : own
  const version = randomUUID()
  const node = new DatabaseNode({ database, sender, clock, newId: randomUUID, version })
  node.watch(
    change => changes.push(change),
    () => (gaps += 1),
  )
  let closed: Promise<void> | undefined
  const close = async (): Promise<void> => {
    closed ??= node.close()
    clock.advance(1000)
    await closed
  }
  onTestFinished(close)
  const held = () => accounts.filter(account => node.workerLeases.find(account) !== undefined)
  return { node, version, clock, changes, gaps: () => gaps, accounts: held, close }
}

/** A change of one message of an account. */
export function changeOf(account: string, changed: Partial<StoreChange> = {}): StoreChange {
  return { account, messages: ['m'], holders: [], events: [], subscriptions: [], ...changed }
}
