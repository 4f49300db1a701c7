import type { Token } from '../../../domain/account/account.js'
import type { ServiceContext } from '../service-context.js'

export interface TokenExtension {
  readonly end: number
  /** Milliseconds by which the stored end may be earlier, so that not each use is a write. */
  readonly precision: number
}

interface KnownExpiry {
  expiresAt: number
  /** What the store has; less than the precision of the last use earlier. */
  storedExpiresAt: number
}

/** Milliseconds between two calls of {@link TokenExpiries.store}, with some time to spare. */
const storeInterval = 2 * 60_000

/** When tokens expire. This node knows each use of a token here, and the store only some. */
export class TokenExpiries {
  /** Milliseconds by which the stored end of a token of the API may be earlier. */
  readonly precision: number
  readonly #context: Pick<ServiceContext, 'store' | 'clock'>
  readonly #known = new Map<string, KnownExpiry>()
  readonly #margin: number

  constructor(context: Pick<ServiceContext, 'store' | 'clock'>, lifetime: number) {
    this.#context = context
    this.precision = lifetime / 16
    this.#margin = Math.max(this.precision, storeInterval)
  }

  /** The later of what this node knows and what is stored: another node may know a later use. */
  get(token: Token): number {
    return Math.max(this.#known.get(token.id)?.expiresAt ?? 0, token.expiresAt)
  }

  extend({ id, expiresAt: storedExpiresAt }: Token, { end, precision }: TokenExtension): void {
    const known = this.#known.get(id) ?? { expiresAt: end, storedExpiresAt }
    this.#known.set(id, known)
    known.expiresAt = end
    known.storedExpiresAt = storedExpiresAt
    if (end - storedExpiresAt < precision) return
    this.#store(id, known).catch(() => {
      // The service accepts the token from memory; the next request tries to store again.
    })
  }

  forget(id: string): void {
    this.#known.delete(id)
  }

  async store(): Promise<void> {
    const now = this.#context.clock.now()
    const soon = now + this.#margin
    const stored: Promise<void>[] = []
    for (const [id, known] of this.#known) {
      const { expiresAt, storedExpiresAt } = known
      if (expiresAt <= now) this.#known.delete(id)
      else if (storedExpiresAt < Math.min(soon, expiresAt)) stored.push(this.#store(id, known))
    }
    await Promise.all(stored)
  }

  async removeExpired(): Promise<void> {
    await this.#context.store.tokens.removeExpired(this.#context.clock.now() - this.#margin)
  }

  async #store(id: string, known: KnownExpiry): Promise<void> {
    const { expiresAt } = known
    await this.#context.store.tokens.extend(id, expiresAt)
    known.storedExpiresAt = Math.max(known.storedExpiresAt, expiresAt)
  }
}
