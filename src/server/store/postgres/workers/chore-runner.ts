import type { Clock } from '../../../../util/async/clock.js'
import type { Connection, Statement } from '../connection/statement.js'
import { isOutageError } from './outage-error.js'

/**
 * Milliseconds for which a node has a chore: longer than the time between two runs. It is renewed
 * when less than the second number is left.
 */
const length = 90_000
const renewalTime = 60_000
/** Milliseconds after which a node asks again for a chore that another one has. */
const retryTime = 15_000

const now = '(extract(epoch from clock_timestamp()) * 1000)::bigint'

/** Parameters: the name of the chore, the node. Returns no row if another node has the chore. */
const takeChore: Statement = {
  name: 'chore take',
  text: `insert into chore (name, owner, until) values ($1, $2, ${now} + ${length})
    on conflict (name) do update set owner = excluded.owner, until = excluded.until
      where chore.owner = excluded.owner or chore.until < ${now}
        or not exists (select from node where id = chore.owner)
    returning name`,
}

/** Parameter: the node. */
const giveBackChores: Statement = {
  name: 'chore give back',
  text: 'update chore set until = 0 where owner = $1',
}

interface Chore {
  readonly dueAt: number
  readonly isOwn: boolean
}

/**
 * Runs chores on one node at a time. The node keeps a chore between its runs, so that neither it
 * nor the others need a statement for each. If one is suspended, two may run
 * a chore at once, which does no harm.
 */
export class ChoreRunner {
  readonly #getNode: () => string
  readonly #connection: Connection
  readonly #clock: Clock
  readonly #chores = new Map<string, Chore>()

  constructor(getNode: () => string, connection: Connection, clock: Clock) {
    this.#getNode = getNode
    this.#connection = connection
    this.#clock = clock
  }

  /**
   * Runs a chore, unless another node has it or the database cannot be asked. Throws as the chore.
   */
  async run(name: string, work: () => Promise<void>): Promise<void> {
    const dueAt = this.#chores.get(name)?.dueAt ?? Number.NEGATIVE_INFINITY
    if (this.#clock.monotonic() >= dueAt) await this.#take(name)
    if (this.#chores.get(name)?.isOwn !== true) return
    const renewal = this.#keepTaking(name)
    try {
      await work()
    } finally {
      renewal.stop()
    }
  }

  async close(): Promise<void> {
    if ([...this.#chores.values()].some(({ isOwn }) => isOwn)) {
      await this.#connection.query(giveBackChores, [this.#getNode()])
    }
  }

  async #take(name: string): Promise<void> {
    const at = this.#clock.monotonic()
    try {
      const rows = await this.#connection.query(takeChore, [name, this.#getNode()])
      const isOwn = rows.length > 0
      this.#chores.set(name, { dueAt: at + (isOwn ? length - renewalTime : retryTime), isOwn })
    } catch (error) {
      if (!isOutageError(error)) throw error
      this.#chores.set(name, { dueAt: at, isOwn: false })
    }
  }

  #keepTaking(name: string): { stop: () => void } {
    let cancel = (): void => {}
    const plan = (): void => {
      cancel = this.#clock.after(length - renewalTime, () => {
        this.#take(name).catch(() => {})
        plan()
      })
    }
    plan()
    return { stop: () => cancel() }
  }
}
