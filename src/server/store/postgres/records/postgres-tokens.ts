import type { Token, TokenKind, TokenLogin } from '../../../../domain/account/account.js'
import { ExpiringCache } from '../../../../util/collections/expiring-cache.js'
import type { TokenStore } from '../../account-store.js'
import type { Statement } from '../connection/statement.js'
import { Grouper } from '../groups/grouper.js'
import { cacheRules } from './postgres-accounts.js'
import { notifyOf, type RecordContext, runStatement } from './record-context.js'

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

/** Claims of batches number their messages in the column `claims`, so a put keeps it. */
const putToken: Statement = {
  name: 'token-put',
  text: `
    insert into token (id, account, kind, expires_at, claims, person, login)
      values ($1, $2, $3, $4, $5, $6, $7)
    on conflict (id) do update set account = excluded.account, kind = excluded.kind,
      person = excluded.person, login = excluded.login, expires_at = excluded.expires_at,
      claims = greatest(token.claims, excluded.claims)`,
}

const readTokens: Statement = {
  name: 'token-read-all',
  text: `
    select id, account, kind, expires_at, claims, person, login from token
    where id = any($1::text[])`,
}

const listLogins: Statement = {
  name: 'token-list-logins',
  text: `
    select id, account, kind, expires_at, claims, person, login from token
    where account = $1 and kind = 'login' and person is not distinct from $2::text`,
}

const extendToken: Statement = {
  name: 'token-extend',
  text: 'update token set expires_at = $2 where id = $1 and expires_at < $2',
}

const removeToken: Statement = {
  name: 'token-remove',
  text: 'delete from token where id = $1 returning account',
}

const removeByKind: Statement = {
  name: 'token-remove-kinds',
  text: 'delete from token where account = $1 and kind = any($2::text[]) returning account',
}

const removeLogins: Statement = {
  name: 'token-remove-logins',
  text: `
    delete from token
    where account = $1 and kind = 'login' and person is not distinct from $2::text
    returning account`,
}

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
    this.#cache = new ExpiringCache({ ...cacheRules, load, monotonic: context.monotonic })
  }

  async get(id: string): Promise<Token | undefined> {
    return await this.#cache.get(id)
  }

  async put({ id, account, kind, expiresAt, claims, person, login }: Token): Promise<void> {
    const known = [claims ?? null, person ?? null, login ? JSON.stringify(login) : null]
    const values = [id, account, kind, expiresAt, ...known]
    await runStatement(this.#context, putToken, values)
    this.#cache.delete(id)
  }

  async extend(id: string, expiresAt: number): Promise<void> {
    await runStatement(this.#context, extendToken, [id, expiresAt])
    this.#cache.delete(id)
  }

  async remove(id: string): Promise<void> {
    await this.#remove(removeToken, [id])
  }

  async listLogins(account: string, person?: string): Promise<Token[]> {
    const values = [account, person ?? null]
    const rows = await runStatement<TokenRow>(this.#context, listLogins, values)
    return rows.map(toToken)
  }

  async removeByKind(account: string, kinds: readonly TokenKind[]): Promise<void> {
    await this.#remove(removeByKind, [account, kinds])
  }

  async removeLogins(account: string, person?: string): Promise<void> {
    await this.#remove(removeLogins, [account, person ?? null])
  }

  async removeExpired(now: number): Promise<void> {
    while ((await this.#remove(removeExpired, [now, removedPerStatement])) > 0);
  }

  /** Drops what this node remembers of tokens, because some have changed. */
  forgetAll(): void {
    this.#cache.clear()
  }

  async #read(ids: readonly string[]): Promise<(Token | undefined)[]> {
    const rows = await runStatement<TokenRow>(this.#context, readTokens, [ids])
    const tokens = new Map(rows.map(row => [row.id, toToken(row)]))
    return ids.map(id => tokens.get(id))
  }

  /** Removes tokens and notifies their accounts, so that connections opened with them end. */
  async #remove(statement: Statement, values: readonly unknown[]): Promise<number> {
    try {
      const removed = await runStatement<TokenRow>(this.#context, statement, values)
      const accounts = new Set(removed.map(({ account }) => account))
      for (const account of accounts) notifyOf(this.#context, account)
      return removed.length
    } finally {
      this.#cache.clear()
    }
  }
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
