import { setImmediate } from 'node:timers/promises'
import type { Account, DoNotTextEntry, DoNotTextReason } from '../../../domain/account/account.js'
import type { ListPageQuery } from '../../../domain/list-key.js'
import { blockListedMessage } from '../../../domain/message/claim.js'
import { isRelayError, RelayError } from '../../../errors.js'
import { addToDoNotText, listDoNotText } from '../../store/do-not-text.js'
import { getSignerEmail } from '../accounts/signer.js'
import type { Caller } from '../accounts/token-service.js'
import type { ServiceContext } from '../service-context.js'
import { requireCanonicalNumber } from './canonical-number.js'

export interface DoNotTextScope {
  readonly scope: string
  readonly country: string
}

export interface DoNotTextOrigin {
  readonly reason: DoNotTextReason
  readonly by: string
}

export interface DoNotTextDraft {
  readonly number: string
  readonly note?: string | undefined
  readonly at?: number | undefined
  readonly reason?: DoNotTextReason | undefined
}

export interface InvalidDoNotTextDraft {
  readonly index: number
  readonly problem: string
}

export interface DoNotTextImportResult {
  readonly added: number
  readonly listed: number
  readonly invalid: InvalidDoNotTextDraft[]
}

export interface DoNotTextImportOptions {
  readonly dryRun: boolean
  readonly skipInvalid: boolean
}

const field = '`number`'
const maxNumbersPerTurn = 100

export class DoNotTextService {
  readonly #context: ServiceContext

  constructor(context: ServiceContext) {
    this.#context = context
  }

  async list({ scope }: DoNotTextScope): Promise<DoNotTextEntry[]> {
    return await listDoNotText(this.#context.store, scope)
  }

  async getPage({ scope }: DoNotTextScope, query: ListPageQuery): Promise<DoNotTextEntry[]> {
    return await this.#context.store.doNotText.getPage(scope, query)
  }

  async count({ scope }: DoNotTextScope, most: number): Promise<number> {
    return await this.#context.store.doNotText.count(scope, most)
  }

  async findListed({ id }: Account, numbers: readonly string[]): Promise<DoNotTextEntry[]> {
    const { doNotText } = this.#context.store
    const scopes = [id, '*']
    const lists = await Promise.all(scopes.map(scope => doNotText.findListed(scope, numbers)))
    return lists.flat()
  }

  /**
   * Adds a Do Not Text number and blocks the messages that wait for it. A number that is on the
   * list keeps its entry. Throws `invalid_parameter`.
   */
  async add(
    { scope, country }: DoNotTextScope,
    number: string,
    origin?: DoNotTextOrigin & Pick<DoNotTextDraft, 'note'>,
  ): Promise<DoNotTextEntry> {
    const at = this.#context.clock.now()
    const { note, ...reason } = origin ?? {}
    const canonical = requireCanonicalNumber(number, country, field)
    const entry = { scope, number: canonical, at, ...reason, ...toNoteField(note) }
    const [listed = entry] = await addToDoNotText(this.#context.store, [entry], at, message =>
      blockListedMessage(message, at),
    )
    return listed
  }

  /**
   * Adds many Do Not Text numbers as {@link add} does; if one is invalid, adds nothing unless
   * `skipInvalid` is set.
   */
  async addAll(
    { scope, country }: DoNotTextScope,
    drafts: readonly (DoNotTextDraft | InvalidDoNotTextDraft)[],
    origin: DoNotTextOrigin,
    { dryRun, skipInvalid }: DoNotTextImportOptions,
  ): Promise<DoNotTextImportResult> {
    const now = this.#context.clock.now()
    const { doNotText } = this.#context.store
    const { entries, invalid } = await validateDrafts(drafts, { scope, country }, now, origin)
    const numbers = [...entries.keys()]
    const listed = new Set((await doNotText.findListed(scope, numbers)).map(entry => entry.number))
    const added = numbers.length - listed.size
    if (!dryRun && (skipInvalid || invalid.length === 0)) {
      await addToDoNotText(this.#context.store, [...entries.values()], now, message =>
        blockListedMessage(message, now),
      )
    }
    return { added, listed: drafts.length - invalid.length - added, invalid }
  }

  async get({ scope, country }: DoNotTextScope, number: string): Promise<DoNotTextEntry> {
    const canonical = requireCanonicalNumber(number, country, field)
    const [entry] = await this.#context.store.doNotText.findListed(scope, [canonical])
    if (entry !== undefined) return entry
    throw notListedError(canonical)
  }

  async remove({ scope, country }: DoNotTextScope, number: string): Promise<DoNotTextEntry> {
    const canonical = requireCanonicalNumber(number, country, field)
    const removed = await this.#context.store.doNotText.remove(
      scope,
      canonical,
      this.#context.clock.now(),
    )
    if (removed !== undefined) return removed
    throw notListedError(canonical)
  }
}

function notListedError(number: string): RelayError {
  return new RelayError('not_found', `${number} is not on the Do Not Text list.`)
}

/**
 * The origin that the service stores with an entry added by a token: a person's e-mail address, or
 * the kind of key.
 */
export function getDoNotTextOrigin(caller: Pick<Caller, 'account' | 'kind'>): DoNotTextOrigin {
  const { kind } = caller
  if (kind === 'login') return { reason: 'person', by: getSignerEmail(caller) }
  return { reason: 'api', by: `${kind} key` }
}

/** The service lets other work run between numbers, of which a file has thousands. */
async function validateDrafts(
  drafts: readonly (DoNotTextDraft | InvalidDoNotTextDraft)[],
  { scope, country }: DoNotTextScope,
  now: number,
  { reason, by }: DoNotTextOrigin,
): Promise<{ entries: Map<string, DoNotTextEntry>; invalid: InvalidDoNotTextDraft[] }> {
  const entries = new Map<string, DoNotTextEntry>()
  const invalid: InvalidDoNotTextDraft[] = []
  for (const [index, draft] of drafts.entries()) {
    if (index % maxNumbersPerTurn === maxNumbersPerTurn - 1) await setImmediate()
    const number = 'problem' in draft ? draft : readNumber(draft.number, country, index)
    if (typeof number !== 'string') invalid.push(number)
    else if (!('problem' in draft) && !entries.has(number)) {
      const at = Math.min(draft.at ?? now, now)
      const entry = { scope, number, at, reason: draft.reason ?? reason, by }
      entries.set(number, { ...entry, ...toNoteField(draft.note) })
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
    return requireCanonicalNumber(number, country, field)
  } catch (error) {
    if (!isRelayError(error, 'invalid_parameter')) throw error
    return { index, problem: error.message }
  }
}

function toNoteField(note: string | undefined): { note?: string } {
  return note === undefined || note === '' ? {} : { note }
}
