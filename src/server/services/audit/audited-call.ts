import type { AuditAppend, CommitAudit, RecordChange } from '../../store/audit-store.js'
import type { Store } from '../../store/store.js'
import { type AccountDraft, type AuditDraft, CallChanges } from './audit-rules.js'

export interface AuditedCallOptions {
  readonly describe: (changes: CallChanges) => AuditDraft | undefined
  /** Describes one commit that has an entry of its own in the audit log; undefined: it has none. */
  readonly describeSeparately?: (commit: CallChanges) => AccountDraft | undefined
  readonly toAppend: (draft: AccountDraft) => AuditAppend
  readonly toSeparateAppend: (draft: AccountDraft) => AuditAppend
  /** Whether the audit log has such an entry of the last hour, for drafts of repeated actions. */
  readonly isRepeated: (draft: AuditDraft) => boolean
  readonly remember: (draft: AuditDraft) => void
}

/**
 * One call of a service whose changes are in the audit log. Its first commit with something to
 * record has the entry. A later commit that changes the description replaces the entry.
 */
export class AuditedCall implements CommitAudit {
  readonly #options: AuditedCallOptions
  readonly #confirmed: RecordChange[] = []
  /** The entry for the audit log in the commit in progress, and that of the last commit. */
  #pending: { readonly draft: AuditDraft; readonly text: string } | undefined
  #durable = ''

  constructor(options: AuditedCallOptions) {
    this.#options = options
  }

  get hasEntry(): boolean {
    return this.#durable !== ''
  }

  describe(changes: readonly RecordChange[]): AuditAppend | undefined {
    this.#pending = undefined
    if (changes.length === 0) return undefined
    const { describeSeparately, toSeparateAppend } = this.#options
    const separate = describeSeparately?.(new CallChanges(changes))
    return separate === undefined ? this.#prepare(changes) : toSeparateAppend(separate)
  }

  confirm(changes: readonly RecordChange[]): void {
    if (changes.length === 0) return
    this.#confirmed.push(...changes)
    if (this.#pending === undefined) return
    this.#durable = this.#pending.text
    this.#options.remember(this.#pending.draft)
    this.#pending = undefined
  }

  /**
   * Corrects the entry after the last commit of the call: another node may have been first with
   * some of the changes that it describes.
   */
  async finish({ auditLog }: Pick<Store, 'auditLog'>): Promise<void> {
    if (!this.hasEntry) return
    const append = this.#prepare([])
    if (append !== undefined) await auditLog.append(append.entry)
  }

  #prepare(changes: readonly RecordChange[]): AuditAppend | undefined {
    const draft = this.#options.describe(new CallChanges([...this.#confirmed, ...changes]))
    if (draft === undefined) return undefined
    const { account } = draft
    if (typeof account !== 'string') return undefined
    if (!this.hasEntry && this.#options.isRepeated(draft)) return undefined
    const append = this.#options.toAppend({ ...draft, account })
    const text = JSON.stringify(append.entry)
    if (text === this.#durable) return undefined
    this.#pending = { draft, text }
    return this.hasEntry ? { entry: append.entry } : append
  }
}
