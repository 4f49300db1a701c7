// The audit log: who changed what, when and from where, and who signed in.
// - audit-service: makes entries, and reads the log
// - audited-call: makes the entry of one call of a service, in the commits of its changes
// - audited-services: has the methods of services append their entries
// - audit-rules: what a rule is; account-rules, contact-rules, record-rules: which methods change
//   something, and how their entries describe it
// 1. A way in that can change something makes an `AuditOrigin` of its request: who, from where.
// 2. It calls services inside of `actFor` with this origin (store/audit-scope).
// 3. A method with a rule then runs as an audited call, which the store finds by the asynchronous
//    context. Before a commit it asks the rule for the entry, and commits it with the change.
// 4. An import takes several commits. Its entry has the same identifier in each, and is replaced.
// 5. A commit that creates a group for a contact has an entry besides that of the call.
// 6. What changes nothing in the store, such as a test of a webhook, has an entry before it.
// Requests of phones and new messages of programs act for nobody, and cost nothing.
import type { Account } from '../../../domain/account/account.js'
import { findOwner } from '../../../domain/account/account-owner.js'
import type { AuditEntry, AuditOrigin } from '../../../domain/audit/audit-entry.js'
import { RelayError } from '../../../errors.js'
import { LruMap } from '../../../util/collections/lru-map.js'
import { actFor } from '../../store/audit-scope.js'
import type { AuditAppend, AuditQuery } from '../../store/audit-store.js'
import type { Store } from '../../store/store.js'
import { findSigner } from '../accounts/signer.js'
import type { ServiceContext } from '../service-context.js'
import type { AccountDraft, AuditDraft } from './audit-rules.js'
import { AuditedCall, type AuditedCallOptions } from './audited-call.js'

const hour = 60 * 60_000

export class AuditService {
  readonly #context: Pick<ServiceContext, 'store' | 'clock' | 'newId'>
  /** When a repeated action was last recorded, in milliseconds since the epoch. */
  readonly #repeated = new LruMap<string, number>(10_000, () => 1)

  constructor(context: Pick<ServiceContext, 'store' | 'clock' | 'newId'>) {
    this.#context = context
  }

  get store(): Store {
    return this.#context.store
  }

  /** Runs work for somebody: calls of audited services in it append to the audit log. */
  async actFor<T>(origin: AuditOrigin, work: () => Promise<T>): Promise<T> {
    return await actFor(origin, work)
  }

  begin(
    origin: AuditOrigin,
    rules: Pick<AuditedCallOptions, 'describe' | 'describeSeparately'>,
  ): AuditedCall {
    const { clock, newId } = this.#context
    const at = clock.now()
    const create = () => ({ id: newId(), at })
    let own: Pick<AuditEntry, 'id' | 'at'> | undefined
    return new AuditedCall({
      ...rules,
      toAppend: draft => {
        own ??= create()
        return toAppend(origin, draft, own)
      },
      toSeparateAppend: draft => toAppend(origin, draft, create()),
      isRepeated: draft => this.#isRepeated(origin, draft, at),
      remember: draft => this.#remember(origin, draft, at),
    })
  }

  /** Appends an entry to the audit log; resolves when it is durable. Throws `unavailable`. */
  async record(origin: AuditOrigin, draft: AuditDraft): Promise<void> {
    const { store, clock, newId } = this.#context
    const account = await this.#findAccount(draft)
    const at = clock.now()
    if (account === undefined || this.#isRepeated(origin, draft, at)) return
    this.#remember(origin, draft, at)
    const { entry, event } = toAppend(origin, { ...draft, account }, { id: newId(), at })
    try {
      await store.auditLog.append(entry, event)
    } catch (error) {
      this.#repeated.delete(toRepeatKey(origin, draft))
      throw error
    }
  }

  /**
   * Reads a page of the audit log, the newest entries first. The owner can see all accounts, or
   * choose one by its identifier or e-mail address. Throws `not_found`.
   */
  async getPage(viewer: Account, { account: chosen, ...query }: AuditQuery): Promise<AuditEntry[]> {
    const account = await this.#chooseAccount(viewer, chosen)
    return await this.#context.store.auditLog.getPage({ ...query, account })
  }

  async get(viewer: Account, id: string): Promise<AuditEntry> {
    const entry = await this.#context.store.auditLog.get(id)
    const isVisible = entry?.account === viewer.id || (await this.isOwner(viewer))
    if (entry !== undefined && isVisible) return entry
    throw new RelayError('not_found', `There is no entry ${id} in the audit log.`)
  }

  async isOwner({ id }: Pick<Account, 'id'>): Promise<boolean> {
    return findOwner(await this.#context.store.accounts.list('owners'))?.id === id
  }

  async #chooseAccount(viewer: Account, chosen: string | undefined): Promise<string | undefined> {
    const isOwn = chosen === viewer.id || chosen?.toLowerCase() === viewer.email.toLowerCase()
    if (isOwn) return viewer.id
    const isOwner = await this.isOwner(viewer)
    if (chosen === undefined) return isOwner ? undefined : viewer.id
    if (!isOwner) throw noAccountError(chosen)
    if (!chosen.includes('@')) return chosen
    const found = await this.#context.store.accounts.findByEmail(chosen)
    if (found !== undefined) return found.id
    throw noAccountError(chosen)
  }

  async #findAccount({ account }: AuditDraft): Promise<string | undefined> {
    if (typeof account === 'string') return account
    const { store } = this.#context
    const { name } = account
    if (!name.includes('@')) return (await store.accounts.findBySecretKey(name))?.id
    return (await findSigner(store, name))?.account.id
  }

  #isRepeated(origin: AuditOrigin, draft: AuditDraft, at: number): boolean {
    const last = draft.isRepeated && this.#repeated.get(toRepeatKey(origin, draft))
    return typeof last === 'number' && at - last < hour
  }

  #remember(origin: AuditOrigin, draft: AuditDraft, at: number): void {
    if (draft.isRepeated) this.#repeated.set(toRepeatKey(origin, draft), at)
  }
}

function toRepeatKey(origin: AuditOrigin, draft: AuditDraft): string {
  const { action, account, refused = false, actor = origin.actor, target } = draft
  const { kind, name } = actor
  return JSON.stringify([action, account, refused, kind, name, target?.id, origin.address])
}

function toAppend(
  origin: AuditOrigin,
  draft: AccountDraft,
  { id, at }: Pick<AuditEntry, 'id' | 'at'>,
): AuditAppend {
  const { account, action, target, detail = '', refused, actor = origin.actor } = draft
  const { address = '', device, request } = origin
  const entry: AuditEntry = {
    ...{ id, account, at, action, actor },
    ...(target && { target }),
    ...(detail === '' ? {} : { detail }),
    ...(refused && { refused }),
    ...(address === '' ? {} : { address }),
    ...(device === undefined ? {} : { device }),
    ...(request === undefined ? {} : { request }),
  }
  if (action !== 'person.sign_in') return { entry }
  return { entry, event: refused ? 'person.sign_in_refused' : 'person.signed_in' }
}

function noAccountError(name: string): RelayError {
  return new RelayError('not_found', `There is no account ${name} whose audit log you can see.`)
}
