import type { BlockEntry } from '../domain/account.js'
import { block } from '../domain/claim.js'
import { canonicalNumber } from '../domain/phone-number.js'
import { RelayError } from '../errors.js'
import type { ServiceContext } from './context.js'

/** Whose Do Not Text list, and the country in which its national numbers are read. */
export interface BlocklistScope {
  /** An account's id, or `*` for the whole service. */
  readonly scope: string
  readonly country: string
}

/** The Do Not Text lists: of the whole service and of each account. */
export class BlocklistService {
  readonly #context: ServiceContext

  constructor(context: ServiceContext) {
    this.#context = context
  }

  /** The listed numbers. */
  async list({ scope }: BlocklistScope): Promise<BlockEntry[]> {
    return await this.#context.store.blocklist.list(scope)
  }

  /** Lists a number and blocks what is waiting for it. Throws `invalid_parameter`. */
  async add({ scope, country }: BlocklistScope, number: string): Promise<BlockEntry> {
    const at = this.#context.now()
    const entry = { scope, number: canonical(number, country), at }
    return await this.#context.store.blocklist.add(entry, message => block(message, at))
  }

  /** Takes a number off the list; messages that were blocked stay so. Throws `invalid_parameter`, `not_found`. */
  async remove({ scope, country }: BlocklistScope, number: string): Promise<BlockEntry> {
    const key = canonical(number, country)
    const removed = await this.#context.store.blocklist.remove(scope, key)
    if (removed !== undefined) return removed
    throw new RelayError('not_found', `${key} is not on the Do Not Text list.`)
  }
}

function canonical(number: string, country: string): string {
  const found = canonicalNumber(number, country)
  if (found !== undefined) return found
  throw new RelayError(
    'invalid_parameter',
    '`number` is not a number that can be dialled; give it in international form, such as +12025550123.',
  )
}
