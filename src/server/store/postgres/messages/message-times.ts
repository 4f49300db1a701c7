import type { Connection, Statement } from '../connection/statement.js'
import { formatNumbers, formatTexts } from '../groups/array-literal.js'
import { Grouper } from '../groups/grouper.js'

export interface HeldQuery {
  readonly account: string
  readonly holder: string
  readonly now: number
  readonly since?: number | undefined
}

interface TimeRow {
  readonly n: number
  readonly at: number | null
}

const findAvailable: Statement = {
  name: 'find_next_available',
  text: `
select r.n, (select m.available_at from message m
    where m.account = r.account and m.available_at is not null
    order by m.available_at, m.id limit 1) as at
from unnest($1::text[]) with ordinality as r(account, n)`,
}

/** A number that the token never had is of another history of the data. */
const findHeld: Statement = {
  name: 'find_next_held',
  text: `
select r.n, (select min(m.due_at) from message m
    where m.account = r.account and m.holder = r.holder and m.lease_until > r.now
      and m.available_at is not null
      and (r.since is null or m.lease_claim is null or m.lease_claim > r.since)) as at
from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[])
  with ordinality as r(account, holder, now, since, n)`,
}

export class MessageTimes {
  readonly #available: Grouper<string, number | undefined>
  readonly #held: Grouper<HeldQuery, number | undefined>

  constructor(connection: Connection, retry: <T>(work: () => Promise<T>) => Promise<T>) {
    const read = async (statement: Statement, values: readonly string[]) => {
      const rows = await retry(async () => await connection.query<TimeRow>(statement, values))
      const times: (number | undefined)[] = []
      for (const { n, at } of rows) times[n - 1] = at ?? undefined
      return times
    }
    this.#available = new Grouper({
      send: async accounts => await read(findAvailable, [formatTexts(accounts)]),
    })
    this.#held = new Grouper({
      send: async queries =>
        await read(findHeld, [
          formatTexts(queries.map(({ account }) => account)),
          formatTexts(queries.map(({ holder }) => holder)),
          formatNumbers(queries.map(({ now }) => now)),
          formatNumbers(queries.map(({ since }) => since)),
        ]),
    })
  }

  async findNextAvailable(account: string): Promise<number | undefined> {
    return await this.#available.add(account)
  }

  async findNextHeld(query: HeldQuery): Promise<number | undefined> {
    return await this.#held.add(query)
  }
}
