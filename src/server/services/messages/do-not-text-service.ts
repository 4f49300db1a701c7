import type {
  Account,
  BlockEntry,
  BlockReason,
  TokenKind,
} from '../../../domain/account/account.js'
import { block } from '../../../domain/message/claim.js'
import { canonicalNumber } from '../../../domain/sms/phone-number.js'
import { isRelayError, RelayError } from '../../../errors.js'
import type { ServiceContext } from '../service-context.js'

/** Whose Do Not Text list, and the country in which its national numbers are read. */
export interface BlocklistScope {
  /** An account's id, or `*` for the whole service. */
  readonly scope: string
  readonly country: string
}

/** Why and by whom a number is listed. */
export interface BlockOrigin {
  readonly reason: BlockReason
  readonly by: string
}

/** A number to list. */
export interface BlockDraft {
  readonly number: string
  readonly note?: string | undefined
  /** When it was first listed, in milliseconds since the epoch. @default now */
  readonly at?: number | undefined
  /** @default that of the {@link BlockOrigin} */
  readonly reason?: BlockReason | undefined
}

/** A number that cannot be listed: its place among the drafts, from 0, and what is wrong. */
export interface InvalidDraft {
  readonly index: number
  readonly problem: string
}

/** What listing many numbers came to. */
export interface BulkResult {
  /** How many were listed, or would be. */
  readonly added: number
  /** How many were listed before. */
  readonly listed: number
  readonly invalid: InvalidDraft[]
}

/** How many numbers are listed at once. */
export interface BulkOptions {
  /** Whether nothing is listed, and only the result counts. */
  readonly dryRun: boolean
  /** Whether the valid numbers are listed although others are not valid. */
  readonly skipInvalid: boolean
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

  /** Lists a number and blocks what is waiting for it; one that is listed stays as it is. Throws `invalid_parameter`. */
  async add(
    { scope, country }: BlocklistScope,
    number: string,
    origin?: BlockOrigin & Pick<BlockDraft, 'note'>,
  ): Promise<BlockEntry> {
    const at = this.#context.now()
    const { note, ...why } = origin ?? {}
    const noted = note === undefined || note === '' ? {} : { note }
    const entry = { scope, number: canonical(number, country), at, ...why, ...noted }
    return await this.#context.store.blocklist.add(entry, message => block(message, at))
  }

  /** Lists many numbers at once, as {@link add} does; nothing where one of them is invalid, unless told otherwise. */
  async addAll(
    { scope, country }: BlocklistScope,
    drafts: readonly (BlockDraft | InvalidDraft)[],
    origin: BlockOrigin,
    { dryRun, skipInvalid }: BulkOptions,
  ): Promise<BulkResult> {
    const now = this.#context.now()
    const { blocklist } = this.#context.store
    const { entries, invalid } = judged(drafts, { scope, country }, now, origin)
    const numbers = [...entries.keys()]
    const before = new Set((await blocklist.listed(scope, numbers)).map(entry => entry.number))
    const added = numbers.length - before.size
    if (!dryRun && (skipInvalid || invalid.length === 0)) {
      await blocklist.addAll([...entries.values()], now, message => block(message, now))
    }
    return { added, listed: drafts.length - invalid.length - added, invalid }
  }

  /** Takes a number off the list; messages that were blocked stay so. Throws `invalid_parameter`, `not_found`. */
  async remove({ scope, country }: BlocklistScope, number: string): Promise<BlockEntry> {
    const key = canonical(number, country)
    const removed = await this.#context.store.blocklist.remove(scope, key)
    if (removed !== undefined) return removed
    throw new RelayError('not_found', `${key} is not on the Do Not Text list.`)
  }
}

/** Who lists a number with a token of that kind: a person by e-mail address, a program by its kind of key. */
export function originOf({ email }: Pick<Account, 'email'>, kind: TokenKind): BlockOrigin {
  return kind === 'login' ? { reason: 'person', by: email } : { reason: 'api', by: `${kind} key` }
}

function judged(
  drafts: readonly (BlockDraft | InvalidDraft)[],
  { scope, country }: BlocklistScope,
  now: number,
  { reason, by }: BlockOrigin,
): { entries: Map<string, BlockEntry>; invalid: InvalidDraft[] } {
  const entries = new Map<string, BlockEntry>()
  const invalid: InvalidDraft[] = []
  for (const [index, draft] of drafts.entries()) {
    const number = 'problem' in draft ? draft : numberOr(draft.number, country, index)
    if (typeof number !== 'string') invalid.push(number)
    else if (!('problem' in draft) && !entries.has(number)) {
      const noted = draft.note === undefined || draft.note === '' ? {} : { note: draft.note }
      const at = Math.min(draft.at ?? now, now)
      entries.set(number, { scope, number, at, reason: draft.reason ?? reason, by, ...noted })
    }
  }
  return { entries, invalid }
}

function numberOr(number: string, country: string, index: number): string | InvalidDraft {
  try {
    return canonical(number, country)
  } catch (error) {
    if (!isRelayError(error, 'invalid_parameter')) throw error
    return { index, problem: error.message }
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
