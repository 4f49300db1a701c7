import type {
  Account,
  DoNotTextEntry,
  DoNotTextReason,
  TokenKind,
} from '../../../domain/account/account.js'
import { blockMessage } from '../../../domain/message/claim.js'
import { toCanonicalNumber } from '../../../domain/sms/phone-number.js'
import { isRelayError, RelayError } from '../../../errors.js'
import type { ServiceContext } from '../service-context.js'

/** Whose Do Not Text list, and the country in which its national numbers are read. */
export interface DoNotTextScope {
  /** An account's id, or `*` for the whole service. */
  readonly scope: string
  readonly country: string
}

/** Why and by whom a number is listed. */
export interface DoNotTextOrigin {
  readonly reason: DoNotTextReason
  readonly by: string
}

/** A number to list. */
export interface DoNotTextDraft {
  readonly number: string
  readonly note?: string | undefined
  /** When it was first listed, in milliseconds since the epoch. @default now */
  readonly at?: number | undefined
  /** @default that of the {@link BlockOrigin} */
  readonly reason?: DoNotTextReason | undefined
}

/** A number that cannot be listed: its place among the drafts, from 0, and what is wrong. */
export interface InvalidDoNotTextDraft {
  readonly index: number
  readonly problem: string
}

/** What listing many numbers came to. */
export interface DoNotTextImportResult {
  /** How many were listed, or would be. */
  readonly added: number
  /** How many were listed before. */
  readonly listed: number
  readonly invalid: InvalidDoNotTextDraft[]
}

/** How many numbers are listed at once. */
export interface DoNotTextImportOptions {
  /** Whether nothing is listed, and only the result counts. */
  readonly dryRun: boolean
  /** Whether the valid numbers are listed although others are not valid. */
  readonly skipInvalid: boolean
}

/** The Do Not Text lists: of the whole service and of each account. */
export class DoNotTextService {
  readonly #context: ServiceContext

  constructor(context: ServiceContext) {
    this.#context = context
  }

  /** The listed numbers. */
  async list({ scope }: DoNotTextScope): Promise<DoNotTextEntry[]> {
    return await this.#context.store.doNotText.list(scope)
  }

  /** Lists a number and blocks what is waiting for it; one that is listed stays as it is. Throws `invalid_parameter`. */
  async add(
    { scope, country }: DoNotTextScope,
    number: string,
    origin?: DoNotTextOrigin & Pick<DoNotTextDraft, 'note'>,
  ): Promise<DoNotTextEntry> {
    const at = this.#context.now()
    const { note, ...why } = origin ?? {}
    const noted = note === undefined || note === '' ? {} : { note }
    const entry = { scope, number: requireCanonicalNumber(number, country), at, ...why, ...noted }
    return await this.#context.store.doNotText.add(entry, message => blockMessage(message, at))
  }

  /** Lists many numbers at once, as {@link add} does; nothing where one of them is invalid, unless told otherwise. */
  async addAll(
    { scope, country }: DoNotTextScope,
    drafts: readonly (DoNotTextDraft | InvalidDoNotTextDraft)[],
    origin: DoNotTextOrigin,
    { dryRun, skipInvalid }: DoNotTextImportOptions,
  ): Promise<DoNotTextImportResult> {
    const now = this.#context.now()
    const { doNotText: blocklist } = this.#context.store
    const { entries, invalid } = validateDrafts(drafts, { scope, country }, now, origin)
    const numbers = [...entries.keys()]
    const before = new Set((await blocklist.findListed(scope, numbers)).map(entry => entry.number))
    const added = numbers.length - before.size
    if (!dryRun && (skipInvalid || invalid.length === 0)) {
      await blocklist.addAll([...entries.values()], now, message => blockMessage(message, now))
    }
    return { added, listed: drafts.length - invalid.length - added, invalid }
  }

  /** Takes a number off the list; messages that were blocked stay so. Throws `invalid_parameter`, `not_found`. */
  async remove({ scope, country }: DoNotTextScope, number: string): Promise<DoNotTextEntry> {
    const key = requireCanonicalNumber(number, country)
    const removed = await this.#context.store.doNotText.remove(scope, key)
    if (removed !== undefined) return removed
    throw new RelayError('not_found', `${key} is not on the Do Not Text list.`)
  }
}

/** Who lists a number with a token of that kind: a person by e-mail address, a program by its kind of key. */
export function getDoNotTextOrigin(
  { email }: Pick<Account, 'email'>,
  kind: TokenKind,
): DoNotTextOrigin {
  return kind === 'login' ? { reason: 'person', by: email } : { reason: 'api', by: `${kind} key` }
}

function validateDrafts(
  drafts: readonly (DoNotTextDraft | InvalidDoNotTextDraft)[],
  { scope, country }: DoNotTextScope,
  now: number,
  { reason, by }: DoNotTextOrigin,
): { entries: Map<string, DoNotTextEntry>; invalid: InvalidDoNotTextDraft[] } {
  const entries = new Map<string, DoNotTextEntry>()
  const invalid: InvalidDoNotTextDraft[] = []
  for (const [index, draft] of drafts.entries()) {
    const number = 'problem' in draft ? draft : readNumber(draft.number, country, index)
    if (typeof number !== 'string') invalid.push(number)
    else if (!('problem' in draft) && !entries.has(number)) {
      const noted = draft.note === undefined || draft.note === '' ? {} : { note: draft.note }
      const at = Math.min(draft.at ?? now, now)
      entries.set(number, { scope, number, at, reason: draft.reason ?? reason, by, ...noted })
    }
  }
  return { entries, invalid }
}

function readNumber(
  number: string,
  country: string,
  index: number,
): string | InvalidDoNotTextDraft {
  try {
    return requireCanonicalNumber(number, country)
  } catch (error) {
    if (!isRelayError(error, 'invalid_parameter')) throw error
    return { index, problem: error.message }
  }
}

function requireCanonicalNumber(number: string, country: string): string {
  const found = toCanonicalNumber(number, country)
  if (found !== undefined) return found
  throw new RelayError(
    'invalid_parameter',
    '`number` is not a number that can be dialled; give it in international form, such as +12025550123.',
  )
}
