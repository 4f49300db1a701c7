import type { LookupAddress, RecordWithTtl } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { getErrorCode } from '../../errors.js'
import type { Clock } from '../../util/async/clock.js'

export type LookupResult = 'found' | 'not_found' | 'timeout' | 'failed'

/** The answer of DNS about a host; the time to live in seconds. */
export type AddressAnswer =
  | {
      readonly result: 'found'
      readonly addresses: readonly LookupAddress[]
      readonly ttl: number
    }
  | { readonly result: Exclude<LookupResult, 'found'> }

export interface QueryOptions {
  /** Addresses of DNS servers to ask. @default the servers of the system */
  readonly servers?: readonly string[] | undefined
  /** Milliseconds until a DNS query has timed out. */
  readonly timeLimit: number
  readonly clock: Clock
}

export class NameLookupError extends Error {
  override readonly name = 'NameLookupError'
  readonly result: LookupResult

  constructor(host: string, result: Exclude<LookupResult, 'found'>) {
    super(messages[result](host))
    this.result = result
  }
}

const messages = {
  not_found: (host: string) => `${host} is an unknown host name, or one without an address`,
  timeout: (host: string) => `no DNS server replied in time about ${host}`,
  failed: (host: string) => `the DNS server could not resolve ${host}`,
}

/** Milliseconds until a query is sent again, or to the next server. */
const queryTimeout = 1000

/**
 * Milliseconds that a DNS query waits for the addresses of the other family (RFC 8305 section 3).
 */
const otherFamilyDelay = 50

const notFoundCodes: readonly string[] = ['ENOTFOUND', 'ENODATA', 'EBADNAME']
const timeoutCodes: readonly string[] = ['ETIMEOUT', 'ECANCELLED', 'ECONNREFUSED']

/**
 * Asks DNS for the IPv4 and IPv6 addresses of a name. IPv4 comes first: a host without IPv6 has no
 * route to it, and a connection would wait for that.
 */
export async function queryAddresses(
  name: string,
  { servers, timeLimit, clock }: QueryOptions,
): Promise<AddressAnswer> {
  // Only all queries of a resolver can be cancelled, so each look-up has its own. It also reads the
  // present servers of the system.
  const resolver = new Resolver({
    timeout: queryTimeout,
    tries: Math.ceil(timeLimit / queryTimeout),
  })
  if (servers !== undefined) resolver.setServers(servers)
  const cancelTimer = clock.after(timeLimit, () => resolver.cancel())
  try {
    return await queryName(resolver, name, clock)
  } finally {
    cancelTimer()
    resolver.cancel()
  }
}

async function queryName(resolver: Resolver, name: string, clock: Clock): Promise<AddressAnswer> {
  const queries = [
    toAnswer(resolver.resolve4(name, { ttl: true }), 4),
    toAnswer(resolver.resolve6(name, { ttl: true }), 6),
  ] as const
  const answers: AddressAnswer[] = []
  for (const query of queries) void query.then(answer => answers.push(answer))
  await Promise.race(queries)
  if (!answers.some(isFound)) await Promise.all(queries)
  else await waitAtMost(Promise.all(queries), otherFamilyDelay, clock)
  return joinAnswers(answers)
}

async function toAnswer(query: Promise<RecordWithTtl[]>, family: number): Promise<AddressAnswer> {
  try {
    const records = await query
    const addresses = records.map(({ address }) => ({ address, family }))
    if (addresses.length === 0) return { result: 'not_found' }
    return { result: 'found', addresses, ttl: Math.min(...records.map(({ ttl }) => ttl)) }
  } catch (error) {
    const code = getErrorCode(error)
    if (notFoundCodes.includes(code)) return { result: 'not_found' }
    return { result: timeoutCodes.includes(code) ? 'timeout' : 'failed' }
  }
}

/** The addresses of both families; without any, the answer that says most. */
function joinAnswers(answers: readonly AddressAnswer[]): AddressAnswer {
  const found = answers.filter(isFound)
  if (found.length > 0) {
    const addresses = found.flatMap(answer => answer.addresses)
    return {
      result: 'found',
      addresses: addresses.toSorted((a, b) => a.family - b.family),
      ttl: Math.min(...found.map(({ ttl }) => ttl)),
    }
  }
  return answers.find(({ result }) => result !== 'not_found') ?? { result: 'not_found' }
}

function isFound(answer: AddressAnswer): answer is AddressAnswer & { result: 'found' } {
  return answer.result === 'found'
}

async function waitAtMost(work: Promise<unknown>, limit: number, clock: Clock): Promise<void> {
  const timer = new AbortController()
  await Promise.race([work, clock.sleep(limit, timer.signal)])
  timer.abort()
}
