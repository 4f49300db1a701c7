import type { SecretUrl, SecretUrlUses } from '../../../domain/account/secret-url.js'
import { addUse, getNextUseTime } from '../../../domain/account/usage-limit.js'
import { RelayError } from '../../../errors.js'
import { LruMap } from '../../../util/collections/lru-map.js'
import type { ServiceContext } from '../service-context.js'

const maxRemembered = 10_000
const noUses: SecretUrlUses = { count: 0, lastAt: 0, recent: [] }

/**
 * Counts the uses of secret URLs and keeps their limits. A use is counted in memory while its message is decided on, so
 * that two at once cannot both be the last, and kept with the secret URL once the message is durable.
 */
export class SecretUrlUsage {
  readonly #context: ServiceContext
  /** Ahead of what is kept by the uses that are under way. */
  readonly #uses = new LruMap<string, SecretUrlUses>(maxRemembered, () => 1)

  constructor(context: ServiceContext) {
    this.#context = context
  }

  /** Counts a use. Throws `too_many_requests`, and counts nothing then. */
  count(capability: SecretUrl): void {
    const { id, rate } = capability
    const now = this.#context.now()
    const { count, recent } = this.#uses.get(id) ?? capability.uses ?? noUses
    const next = rate === undefined ? now : getNextUseTime(recent, rate, now)
    if (next > now) throw tooManyUsesError(next - now)
    const counted = rate === undefined ? [] : addUse(recent, rate, now)
    this.#uses.set(id, { count: count + 1, lastAt: now, recent: counted })
  }

  /** Keeps what was counted. The message is accepted: where this cannot be stored, the next use stores it. */
  async save({ id }: SecretUrl): Promise<void> {
    const uses = this.#uses.get(id)
    if (uses === undefined) return
    const { secretUrls: capabilities } = this.#context.store
    const keep = (current: SecretUrl | undefined) =>
      current === undefined ? null : { ...current, uses }
    await capabilities.change(id, keep).catch(() => {})
  }
}

function tooManyUsesError(wait: number): RelayError {
  const seconds = Math.ceil(wait / 1000)
  return new RelayError(
    'too_many_requests',
    `This secret URL was used as often as it may be; try again in ${seconds} s.`,
    { retryAfter: seconds },
  )
}
