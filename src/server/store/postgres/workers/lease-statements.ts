import type { Statement } from '../connection/statement.js'
import { bucketCount } from './account-bucket.js'

/** Milliseconds for which a node has its buckets after it renewed its row. */
export const leaseLength = 30_000

const now = '(extract(epoch from clock_timestamp()) * 1000)::bigint'

export interface NodeState {
  /** False if other nodes have removed the row of this one. */
  readonly renewed: boolean
  /** Number of nodes, this one included, whose rows are renewed. */
  readonly live: number
  /** Number of other nodes that have not renewed their row. */
  readonly dead: number
  /** Number of buckets without an owner, or whose owner is removed. */
  readonly free: number
  /** The epochs of this node's buckets, by bucket. */
  readonly own: Readonly<Record<string, number>> | null
}

/** Parameters: the node, the version of the program. */
export const registerNode: Statement = {
  name: 'node register',
  text: `insert into node (id, version, until) values ($1, $2, ${now} + ${leaseLength})
    on conflict (id) do nothing`,
}

/** Parameters: the node, the highest hint that everyone has read. */
export const renewNode: Statement = {
  name: 'node renew',
  text: `with renewed as (
      update node set until = ${now} + ${leaseLength} where id = $1 returning id),
    old as (delete from hint where id <= $2)
    select exists (select from renewed) as renewed,
      1 + count(*) filter (where until >= ${now}) as live,
      count(*) filter (where until < ${now}) as dead,
      (select count(*) from subscription_bucket b where owner is null
        or not exists (select from node n where n.id = b.owner)) as free,
      (select json_object_agg(bucket, epoch) from subscription_bucket where owner = $1) as own
    from node where id <> $1`,
}

/**
 * A node that renews its row meanwhile is not removed: the deletion waits for its statement and
 * looks at the row again.
 */
export const removeDeadNodes: Statement = {
  name: 'node reap',
  text: `delete from node where until < ${now}`,
}

/**
 * Frees the buckets of removed nodes. The owner is compared again when the row is locked, so that a
 * bucket that another node has taken meanwhile stays with it. Identifiers of nodes never come back.
 */
export const freeBuckets: Statement = {
  name: 'bucket free',
  text: `update subscription_bucket b set owner = null from (
      select bucket, owner from subscription_bucket where owner is not null
        and not exists (select from node n where n.id = owner)) lost
    where b.bucket = lost.bucket and b.owner = lost.owner`,
}

/** Parameters: the node, the most buckets to take. */
export const takeBuckets: Statement = {
  name: 'bucket take',
  text: `with self as (select id from node where id = $1 for key share),
    taken as (
      select bucket from subscription_bucket where owner is null
      order by bucket limit $2 for update skip locked)
    update subscription_bucket b set owner = self.id, epoch = b.epoch + 1
    from taken, self where b.bucket = taken.bucket`,
}

/** Parameters: the node, its buckets. */
export const giveBackBuckets: Statement = {
  name: 'bucket give back',
  text: `update subscription_bucket set owner = null
    where owner = $1 and bucket = any($2::smallint[])`,
}

/** Parameter: the node. */
export const removeNode: Statement = {
  name: 'node remove',
  text: `with gone as (delete from node where id = $1)
    update subscription_bucket set owner = null where owner = $1`,
}

/** The buckets of each of so many nodes. */
export function countShare(nodes: number): number {
  return Math.ceil(bucketCount / nodes)
}
