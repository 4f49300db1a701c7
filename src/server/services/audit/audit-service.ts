// The audit log: who changed what, when and from where, and who signed in.
// - audit-service: appends entries and reads them
// - audited-services: services that act for somebody, and append an entry after each change
// - account-rules, record-rules, message-rules: which methods change something, and how their
//   entries describe it
// 1. A way in that can change something makes an `AuditOrigin` of its request: who, from where.
// 2. It calls the audited services of this origin instead of the plain ones.
// 3. These call the plain method; when it has succeeded, its rule describes the change, and the
//    entry is durable before the caller gets the result.
// Requests of phones and new messages of programs use the plain services, and cost nothing.
import type { Account } from '../../../domain/account/account.js'
import { findOwner } from '../../../domain/account/account-owner.js'
import type {
  AuditAction,
  AuditActor,
  AuditEntry,
  AuditOrigin,
  AuditTarget,
} from '../../../domain/audit/audit-entry.js'
import { RelayError } from '../../../errors.js'
import { LruMap } from '../../../util/collections/lru-map.js'
import type { AuditQuery } from '../../store/audit-store.js'
import { findSigner } from '../accounts/signer.js'
import type { ServiceContext } from '../service-context.js'

/** What a rule of the audit log says of a change. */
export interface AuditDraft {
  readonly action: AuditAction
  /** The account that the audited change belongs to, or a name with which one signs in to it. */
  readonly account: string | SignInName
  readonly target?: AuditTarget
  readonly detail?: string
  readonly refused?: true
  /** Who made the audited change. @default the actor of the origin */
  readonly actor?: AuditActor
  /** Of audited actions that programs repeat: an hour has one entry for each address and actor. */
  readonly isRepeated?: true
}

/** An e-mail address or a secret key. */
type SignInName = { readonly name: string }

const hour = 60 * 60_000

export class AuditService {
  readonly #context: Pick<ServiceContext, 'store' | 'clock' | 'newId'>
  /** When a repeated action was last recorded, in milliseconds since the epoch. */
  readonly #repeated = new LruMap<string, number>(10_000, () => 1)

  constructor(context: Pick<ServiceContext, 'store' | 'clock' | 'newId'>) {
    this.#context = context
  }

  /** Appends an entry to the audit log; resolves when it is durable. Throws `unavailable`. */
  async record(origin: AuditOrigin, draft: AuditDraft): Promise<void> {
    const { store, clock, newId } = this.#context
    const { action, target, detail, refused, actor = origin.actor } = draft
    const account = await this.#findAccount(draft)
    const at = clock.now()
    if (account === undefined || this.#isRepeated(origin, { ...draft, account, actor }, at)) return
    const entry: AuditEntry = {
      ...{ id: newId(), account, at, action, actor },
      ...(target && { target }),
      ...(detail === undefined || detail === '' ? {} : { detail }),
      ...(refused && { refused }),
      ...(origin.address === undefined || origin.address === '' ? {} : { address: origin.address }),
      ...(origin.device === undefined ? {} : { device: origin.device }),
      ...(origin.request === undefined ? {} : { request: origin.request }),
    }
    const event = refused ? 'person.sign_in_refused' : 'person.signed_in'
    await store.auditLog.append(entry, action === 'person.sign_in' ? event : undefined)
  }

  /**
   * Reads a page of the audit log, the newest entries first. The owner can see all accounts, or
   * choose one by its identifier or e-mail address. Throws `not_found`.
   */
  async getPage(viewer: Account, { account: chosen, ...query }: AuditQuery): Promise<AuditEntry[]> {
    const account = await this.#chooseAccount(viewer, chosen)
    return await this.#context.store.auditLog.getPage({ ...query, account })
  }

  /** Gets an entry of the audit log that the account can see. Throws `not_found`. */
  async get(viewer: Account, id: string): Promise<AuditEntry> {
    const entry = await this.#context.store.auditLog.get(id)
    const isVisible = entry?.account === viewer.id || (await this.isOwner(viewer))
    if (entry !== undefined && isVisible) return entry
    throw new RelayError('not_found', `There is no entry ${id} in the audit log.`)
  }

  /** Whether an account sees the audit log of the whole relay. */
  async isOwner({ id }: Pick<Account, 'id'>): Promise<boolean> {
    return findOwner(await this.#context.store.accounts.list())?.id === id
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

  #isRepeated({ address }: AuditOrigin, draft: AuditDraft, at: number): boolean {
    if (draft.isRepeated !== true) return false
    const { action, account, refused = false, actor } = draft
    const key = JSON.stringify([action, account, refused, actor?.kind, actor?.name, address])
    const last = this.#repeated.get(key)
    if (last !== undefined && at - last < hour) return true
    this.#repeated.set(key, at)
    return false
  }
}

function noAccountError(name: string): RelayError {
  return new RelayError('not_found', `There is no account ${name} whose audit log you can see.`)
}
