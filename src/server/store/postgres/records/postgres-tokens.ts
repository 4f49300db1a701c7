import type { Token, TokenKind, TokenLogin } from '../../../../domain/account/account.js'
import { ExpiringCache } from '../../../../util/collections/expiring-cache.js'
import type {
  LatestTokens,
  LatestTokensQuery,
  TokenOwner,
  TokenStore,
} from '../../account-store.js'
import type { RecordChange } from '../../audit-store.js'
import { type ChangeStatement, createChange } from '../audit/audited-statement.js'
import type { Statement } from '../connection/statement.js'
import { Grouper } from '../groups/grouper.js'
import { cacheRules } from './postgres-accounts.js'
import { notifyOf, type RecordContext, runChange, runStatement } from './record-context.js'

const removedPerStatement = 500

interface TokenRow {
  readonly id: string
  readonly account: string
  readonly kind: TokenKind
  readonly expires_at: number
  readonly claims: number | null
  readonly person: string | null
  readonly login: TokenLogin | null
}

interface CountedRow extends TokenRow {
  readonly total: number
}

/**
 * Claims of batches number their messages in the column `claims`, so a put keeps it. The last
 * parameter is how many tokens of the same owner remain besides.
 */
const putToken = createChange(
  'token-put',
  append => `
    with oldest as (delete from token where id = any(array(
        select id from token where account = $2 and kind = $3
          and person is not distinct from $6::text and id <> $1
        order by expires_at desc, id desc offset $8))
      returning account),
    stored as (insert into token (id, account, kind, expires_at, claims, person, login)
      values ($1, $2, $3, $4, $5, $6, $7)
    on conflict (id) do update set account = excluded.account, kind = excluded.kind,
      person = excluded.person, login = excluded.login, expires_at = excluded.expires_at,
      claims = greatest(token.claims, excluded.claims)
      returning id)${append('exists (select from stored)')}
    select id from stored`,
  { event: true },
)

const countMost: Statement = {
  name: 'token-count-most',
  text: `
    select count(*)::int as count from token where account = $1 group by kind, person
    order by count desc limit 1`,
}

const readTokens: Statement = {
  name: 'token-read-all',
  text: `
    select id, account, kind, expires_at, claims, person, login from token
    where id = any($1::text[])`,
}

const ofOwner =
  "account = $1 and kind = $2 and ($2 <> 'login' or person is not distinct from $3::text)"

const listTokens: Statement = {
  name: 'token-list',
  text: `
    select id, account, kind, expires_at, claims, person, login from token where ${ofOwner}`,
}

const listLatest: Statement = {
  name: 'token-list-latest',
  text: `
    select id, account, kind, expires_at, claims, person, login,
      (select count(*) from token where ${ofOwner} and expires_at > $4) as total
    from token where ${ofOwner} and expires_at > $4
    order by expires_at desc, id desc limit $5`,
}

const extendToken: Statement = {
  name: 'token-extend',
  text: 'update token set expires_at = $2 where id = $1 and expires_at < $2',
}

const [removeToken, removeTokens] = [
  createRemoval('token-remove', 'id = $1'),
  createRemoval('token-remove-all', ofOwner),
]

const removeExpired: Statement = {
  name: 'token-remove-expired',
  text: `
    delete from token where expires_at < $1 and id = any(array(
      select id from token where expires_at < $1 limit $2))
    returning account`,
}

export class PostgresTokens implements TokenStore {
  readonly #context: RecordContext
  readonly #cache: ExpiringCache<Token | undefined>

  constructor(context: RecordContext) {
    this.#context = context
    const reads = new Grouper({ send: async (ids: readonly string[]) => await this.#read(ids) })
    const load = async (id: string) => await reads.add(id)
    const rules = { ...cacheRules, load, monotonic: context.monotonic }
    this.#cache = new ExpiringCache(rules)
  }

  async get(id: string): Promise<Token | undefined> {
    return await this.#cache.get(id)
  }

  async put(token: Token, most = Number.MAX_SAFE_INTEGER): Promise<void> {
    const { id, account, kind, expiresAt, claims, person, login } = token
    const known = [claims ?? null, person ?? null, login ? JSON.stringify(login) : null]
    const values = [id, account, kind, expiresAt, ...known, Math.max(0, most - 1)]
    const changes = [{ kind: 'token', before: undefined, after: token }] as const
    await runChange(this.#context, putToken, values, changes)
    this.#cache.delete(id)
    this.#context.audit?.confirm(changes)
  }

  async countMost(account: string): Promise<number> {
    const [row] = await runStatement<{ count: number }>(this.#context, countMost, [account])
    return row?.count ?? 0
  }

  async extend(id: string, expiresAt: number): Promise<void> {
    await runStatement(this.#context, extendToken, [id, expiresAt])
    this.#cache.delete(id)
  }

  async list(owner: TokenOwner): Promise<Token[]> {
    const rows = await runStatement<TokenRow>(this.#context, listTokens, toValues(owner))
    return rows.map(toToken)
  }

  async listLatest(owner: TokenOwner, { now, count }: LatestTokensQuery): Promise<LatestTokens> {
    const values = [...toValues(owner), now, count]
    const rows = await runStatement<CountedRow>(this.#context, listLatest, values)
    return { tokens: rows.map(toToken), total: rows[0]?.total ?? 0 }
  }

  async remove(which: Pick<Token, 'id'> | TokenOwner): Promise<void> {
    const isOne = 'id' in which
    const list = async () => (isOne ? await this.#read([which.id]) : await this.list(which))
    const changes = this.#context.audit === undefined ? [] : (await list()).flatMap(toRemoval)
    const [statement, values] = isOne ? [removeToken, [which.id]] : [removeTokens, toValues(which)]
    const removing = runChange<TokenAccount>(this.#context, statement, values, changes)
    await this.#forget(removing.then(({ rows }) => rows))
    this.#context.audit?.confirm(changes)
  }

  async removeExpired(now: number): Promise<void> {
    const values = [now, removedPerStatement]
    while ((await this.#forget(runStatement(this.#context, removeExpired, values))) > 0);
  }

  forgetAll(): void {
    this.#cache.clear()
  }

  async #read(ids: readonly string[]): Promise<(Token | undefined)[]> {
    const rows = await runStatement<TokenRow>(this.#context, readTokens, [ids])
    const tokens = new Map(rows.map(row => [row.id, toToken(row)]))
    return ids.map(id => tokens.get(id))
  }

  /** Notifies the accounts of removed tokens, so that connections opened with them end. */
  async #forget(removing: Promise<readonly unknown[]>): Promise<number> {
    try {
      const removed = (await removing) as readonly TokenAccount[]
      const accounts = new Set(removed.map(({ account }) => account))
      for (const account of accounts) notifyOf(this.#context, account)
      return removed.length
    } finally {
      this.#cache.clear()
    }
  }
}

type TokenAccount = Pick<TokenRow, 'account'>

function createRemoval(name: string, condition: string): ChangeStatement {
  return createChange(
    name,
    append => `
    with removed as (delete from token where ${condition} returning account)
      ${append('exists (select from removed)')}
    select account from removed`,
  )
}

function toValues({ account, kind, person }: TokenOwner): (string | null)[] {
  return [account, kind, person ?? null]
}

function toRemoval(before: Token | undefined): RecordChange[] {
  return before === undefined ? [] : [{ kind: 'token', before, after: undefined }]
}

function toToken({ id, account, kind, expires_at: expiresAt, ...rest }: TokenRow): Token {
  const { claims, person, login } = rest
  return {
    ...{ id, account, kind, expiresAt },
    ...(claims === null ? {} : { claims }),
    ...(person === null ? {} : { person }),
    ...(login === null ? {} : { login }),
  }
}
