import type { Account } from '../../../domain/account/account.js'
import type {
  AuditAction,
  AuditActor,
  AuditOrigin,
  AuditTarget,
} from '../../../domain/audit/audit-entry.js'
import { listInputs, type Resource } from '../../../resources/resource.js'
import type { AuditedKind, AuditedRecords, RecordChange } from '../../store/audit-store.js'

export interface AuditDraft {
  readonly action: AuditAction
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

export type AnyRule = AuditRule<Verb>

export type Verb = (...parameters: never[]) => Promise<unknown>

export class CallChanges {
  readonly #all: readonly RecordChange[]

  constructor(all: readonly RecordChange[]) {
    this.#all = all
  }

  list<K extends AuditedKind>(kind: K): RecordChange<K>[] {
    return this.#all.filter(change => change.kind === kind) as unknown as RecordChange<K>[]
  }

  find<K extends AuditedKind>(kind: K): RecordChange<K> | undefined {
    return this.list(kind)[0]
  }

  /** The first changed record of a kind: as it is now, or as it was before its removal. */
  findRecord<K extends AuditedKind>(kind: K): AuditedRecords[K] | undefined {
    const change = this.find(kind)
    return change?.after ?? change?.before
  }
}

/**
 * Describes the changes of a call for the audit log, before each commit; undefined as long as there
 * is nothing to record.
 */
export type CommitRule<V extends Verb> = (
  call: { readonly changes: CallChanges; readonly origin: AuditOrigin },
  ...parameters: Parameters<V>
) => AuditDraft | undefined

export type AccountDraft = AuditDraft & { readonly account: string }

/** Describes one commit that has an entry of the audit log besides that of its call. */
export type SeparateRule = (commit: { readonly changes: CallChanges }) => AccountDraft | undefined

export interface CallRules<V extends Verb> {
  readonly commit?: CommitRule<V>
  readonly separate?: SeparateRule
  /** Describes a successful call that changed nothing in the store, for the audit log. */
  readonly after?: (
    call: { readonly result: Awaited<ReturnType<V>> },
    ...parameters: Parameters<V>
  ) => AuditDraft
}

/** Describes a call for the audit log that was refused because of many wrong ones before it. */
export interface RefusedRule<V extends Verb> {
  readonly refused: (...parameters: Parameters<V>) => AuditDraft
}

/**
 * Describes for the audit log what a method is about to do outside of the store. The method gets a
 * function as its last parameter, which it calls before with its subject.
 */
export interface EffectRule<V extends Verb> {
  readonly before: (subject: never, ...parameters: Parameters<V>) => AuditDraft
}

export type AuditRule<V extends Verb> =
  | CommitRule<V>
  | CallRules<V>
  | RefusedRule<V>
  | EffectRule<V>

/** The rules of the audit log for those methods of a service whose calls it has. */
export type AuditRules<S> = {
  readonly [M in keyof S as S[M] extends Verb ? M : never]?: S[M] extends Verb
    ? AuditRule<S[M]>
    : never
}

type NamedKind = Exclude<AuditedKind, 'token' | 'do_not_text' | 'message'>

/**
 * What a record is called in the audit log: never by a phone number, a text or a secret. The path
 * and query of a webhook's address can be secret.
 */
const names: {
  readonly [K in NamedKind]?: (record: AuditedRecords[K]) => string | undefined
} = {
  account: ({ email }) => email,
  person: ({ email }) => email,
  invitation: ({ email }) => email,
  mailbox: ({ name, alias }) => (name === undefined || name === '' ? alias : name),
  subscription: ({ event, url }) => `${event} to ${new URL(url).host}`,
}

/** Kinds whose identifiers are secret, or phone numbers. */
const withoutId: readonly AuditedKind[] = ['invitation', 'contact', 'phone']

export function toTarget<K extends NamedKind>(kind: K, record: AuditedRecords[K]): AuditTarget {
  const { name: own } = record as { readonly name?: string }
  const name = (names[kind] === undefined ? own : names[kind](record)) ?? ''
  return {
    kind,
    ...('id' in record && !withoutId.includes(kind) ? { id: record.id } : {}),
    ...(name === '' ? {} : { name }),
  }
}

export function recordRule<K extends NamedKind, P extends unknown[]>(
  action: AuditDraft['action'],
  kind: K,
  getDetail?: (change: RecordChange<K>, ...parameters: P) => string,
) {
  return ({ changes }: { changes: CallChanges }, ...parameters: P): AccountDraft | undefined => {
    const change = changes.find(kind)
    const record = change?.after ?? change?.before
    if (change === undefined || record === undefined) return undefined
    const account = 'account' in record ? record.account : record.id
    const detail = getDetail?.(change, ...parameters)
    const target = toTarget(kind, record as AuditedRecords[K])
    return { account, action, target, ...(detail === undefined ? {} : { detail }) }
  }
}

export function listChanged(changes: object): string {
  const set = Object.entries(changes).filter(([, value]) => value !== undefined)
  return set.map(([name]) => name).join(', ')
}

/** The rules of a resource's service; the entry of a change names the fields of several. */
export function resourceRules<R extends Resource & { readonly name: NamedKind }>(resource: R) {
  const { name } = resource
  const record = (verb: string) => recordRule(`${name}.${verb}` as AuditAction, name)
  const edit = (_: unknown, __: Account, ___: string, draft: object) => listChanged(draft)
  const detail = listInputs(resource).length > 1 ? edit : undefined
  return {
    create: record('create'),
    edit: recordRule(`${name}.change` as AuditAction, name, detail),
    remove: record('delete'),
  }
}
