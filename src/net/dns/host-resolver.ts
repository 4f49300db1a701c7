// Resolves host names without Node's thread pool, so that a silent DNS server delays nothing else:
// getaddrinfo shares the four threads that also read and write files.
//
// 1. `localhost` and names below it are loopback addresses (RFC 6761 section 6.3). The hosts
//    file and search lists do not count.
// 2. Answers are cached for as long as their records say.
// 3. A name is looked up once at a time; all who need it wait for that look-up. Each account has a
//    limit of look-ups in progress (lookup-slots.ts); more of them wait.
// 4. address-query.ts asks the DNS servers.

import type { LookupAddress } from 'node:dns'
import { type Clock, createClock } from '../../util/async/clock.js'
import { LruMap } from '../../util/collections/lru-map.js'
import { Metrics } from '../../util/collections/metrics.js'
import { isLoopbackHost } from '../ip-address.js'
import { type AddressAnswer, NameLookupError, queryAddresses } from './address-query.js'
import { LookupSlots } from './lookup-slots.js'

export interface HostResolverOptions {
  /** The resolver's clock. @default the clock of this machine */
  readonly clock?: Clock
  readonly metrics?: Pick<Metrics, 'increment'>
  /** Addresses of DNS servers, with or without a port. @default those of the system */
  readonly servers?: readonly string[] | undefined
  /** DNS look-ups in progress of one account. @default 16 */
  readonly lookupsPerAccount?: number
  /** Milliseconds that a DNS look-up may take. @default 4000 */
  readonly timeLimit?: number
}

/** Milliseconds that the resolver caches an answer, whatever its records say. */
const cacheTimes = { min: 1000, max: 3_600_000, notFound: 5000, failed: 1000 }

/** Names in each of the two generations of the resolver's cache. */
const cacheSize = 5000

interface CachedAnswer {
  readonly until: number
  readonly addresses: readonly LookupAddress[]
  readonly error?: NameLookupError
}

const loopback: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

export class HostResolver {
  readonly #options: HostResolverOptions
  readonly #clock: Clock
  readonly #metrics: Pick<Metrics, 'increment'>
  readonly #cache = new LruMap<string, CachedAnswer>(cacheSize, () => 1)
  readonly #lookups = new Map<string, Promise<CachedAnswer>>()
  readonly #slots: LookupSlots

  constructor(options: HostResolverOptions = {}) {
    const { clock = createClock(), metrics = new Metrics(), lookupsPerAccount = 16 } = options
    this.#options = options
    this.#clock = clock
    this.#metrics = metrics
    this.#slots = new LookupSlots(lookupsPerAccount)
  }

  async resolve(
    host: string,
    account: string,
    signal?: AbortSignal,
  ): Promise<readonly LookupAddress[]> {
    const name = host.toLowerCase().replace(/\.$/, '')
    if (isLoopbackHost(name)) return loopback
    const { addresses, error } =
      this.#findCached(name) ??
      (await this.#lookups.get(name)) ??
      (await this.#slots.run(account, signal, async () => await this.#lookUpOnce(name)))
    if (error !== undefined) throw error
    return addresses
  }

  #findCached(name: string): CachedAnswer | undefined {
    const cached = this.#cache.get(name)
    if (cached === undefined || cached.until <= this.#clock.monotonic()) return undefined
    this.#count('cached')
    return cached
  }

  async #lookUpOnce(name: string): Promise<CachedAnswer> {
    const known = this.#findCached(name) ?? this.#lookups.get(name)
    if (known !== undefined) return await known
    const lookup = this.#lookUp(name)
    this.#lookups.set(name, lookup)
    try {
      const answer = await lookup
      this.#cache.set(name, answer)
      return answer
    } finally {
      this.#lookups.delete(name)
    }
  }

  async #lookUp(name: string): Promise<CachedAnswer> {
    const { servers, timeLimit = 4000 } = this.#options
    const answer = await queryAddresses(name, { servers, timeLimit, clock: this.#clock })
    this.#count(answer.result)
    return { ...toCached(name, answer), until: this.#clock.monotonic() + getCacheTime(answer) }
  }

  #count(result: string): void {
    this.#metrics.increment(`dns_lookups_total{result="${result}"}`)
  }
}

function toCached(name: string, answer: AddressAnswer): Omit<CachedAnswer, 'until'> {
  return answer.result === 'found'
    ? { addresses: answer.addresses }
    : { addresses: [], error: new NameLookupError(name, answer.result) }
}

function getCacheTime(answer: AddressAnswer): number {
  if (answer.result === 'not_found') return cacheTimes.notFound
  if (answer.result !== 'found') return cacheTimes.failed
  return Math.min(Math.max(answer.ttl * 1000, cacheTimes.min), cacheTimes.max)
}
