// The audit log: changes of accounts and of what belongs to them, and sign-ins.
// - An entry says who did what, when and from where. It has no secret, no text of a message and no
//   phone number, so that everybody who administers an account can read it.
// - Nothing changes an entry. The store deletes it when it is old.
// - New messages, and reports of phones, have no entries: they have a history of their own.
// - The names of actions are those of a resource and of what happened to it.

import { resourceActions } from '../../resources/resources.js'

/**
 * The audit log's actions, by what they change. The names are part of the API and of stored
 * records.
 */
export const auditActions = [
  ...['account.create', 'account.change', 'account.delete', 'account.set_password'],
  'account.set_limits',
  ...['key.replace', 'key.show', 'token.issue', 'token.revoke'],
  ...['person.sign_in', 'person.sign_out', 'person.end_session', 'person.end_sessions'],
  ...['person.invite', 'person.join', 'person.change_role', 'person.change_email'],
  ...['person.change_password', 'person.confirm_password', 'person.remove', 'invitation.revoke'],
  ...['second_factor.add', 'second_factor.remove', 'second_factor.replace_codes'],
  'second_factor.reset',
  ...['signing_secret.replace', 'signing_secret.remove', 'signing_secret.show'],
  ...['subscription.create', 'subscription.change', 'subscription.delete', 'subscription.test'],
  ...['subscription.pause', 'subscription.resume', 'subscription.skip', 'subscription.replay'],
  'delivery.resend',
  ...['secret_url.create', 'secret_url.revoke'],
  ...['do_not_text.add', 'do_not_text.remove', 'do_not_text.import', 'do_not_text.export'],
  ...['contact.create', 'contact.change', 'contact.delete', 'contact.import', 'contact.export'],
  ...resourceActions,
  ...['message.change', 'message.delete', 'message.lock', 'message.unlock', 'message.undelete'],
  ...['message.retry', 'message.resend', 'message.cancel', 'message.export'],
  ...['statistics.export', 'audit.export', 'phone.forget'],
] as const

export type AuditAction = (typeof auditActions)[number]

export const auditActorKinds = ['person', 'key', 'invitation', 'administration'] as const

export type AuditActorKind = (typeof auditActorKinds)[number]

export interface AuditActor {
  readonly kind: AuditActorKind
  /** Identifier of the acting person, or of the account that acts itself. */
  readonly id?: string
  /** E-mail address of who acts, or the kind of the key. */
  readonly name?: string
}

export interface AuditOrigin {
  readonly actor: AuditActor
  readonly address?: string
  /** The acting client in a few words, such as "Firefox on Windows". */
  readonly device?: string
  readonly request?: string
}

export interface AuditTarget {
  readonly kind: string
  readonly id?: string
  readonly name?: string
}

/** An entry of the audit log: a change or a sign-in. Nothing changes an entry. */
export interface AuditEntry extends AuditOrigin {
  readonly id: string
  /** The account that the audited action belongs to; `*` if it belongs to the whole relay. */
  readonly account: string
  readonly at: number
  readonly action: AuditAction
  readonly target?: AuditTarget
  readonly detail?: string
  readonly refused?: true
}

export interface AuditFilter {
  /** An action of the audit log, or all of a resource, such as `subscription`. */
  readonly action?: string | undefined
  /** A part of the name or the whole identifier of who acted. */
  readonly actor?: string | undefined
  readonly target?: string | undefined
  readonly address?: string | undefined
  /** First time of the wanted audit entries, in milliseconds since the epoch. */
  readonly since?: number | undefined
  /** Time after the last wanted audit entry, in milliseconds since the epoch. */
  readonly until?: number | undefined
}

export function buildActorText({ actor }: Pick<AuditEntry, 'actor'>): string {
  return `${actor.kind} ${actor.name ?? ''} ${actor.id ?? ''}`.toLowerCase()
}

export function buildTargetText({ target }: Pick<AuditEntry, 'target'>): string {
  if (target === undefined) return ''
  return `${target.kind} ${target.name ?? ''} ${target.id ?? ''}`.toLowerCase()
}

export function matchesAuditFilter(entry: AuditEntry, filter: AuditFilter): boolean {
  const { action, actor, target, address, since, until } = filter
  if (since !== undefined && entry.at < since) return false
  if (until !== undefined && entry.at >= until) return false
  if (action !== undefined && entry.action !== action && !entry.action.startsWith(`${action}.`))
    return false
  if (address !== undefined && entry.address !== address) return false
  if (actor !== undefined && !buildActorText(entry).includes(actor.toLowerCase())) return false
  return target === undefined || buildTargetText(entry).includes(target.toLowerCase())
}

/** Retention of the audit log in milliseconds, unless a setting says otherwise. */
export const auditRetention = 365 * 24 * 60 * 60 * 1000
