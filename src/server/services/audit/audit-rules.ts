import type { AuditOrigin } from '../../../domain/audit/audit-entry.js'
import type { AuditDraft } from './audit-service.js'

/** The rule of the audit log for any method. */
export type AnyRule = AuditRule<Verb> | RefusedRule<Verb> | 'none'

/** Something asynchronous that a service can do. */
export type Verb = (...parameters: never[]) => Promise<unknown>

/** Describes a successful call for the audit log; undefined if the call changed nothing. */
export type AuditRule<V extends Verb> = (
  call: {
    readonly result: Awaited<ReturnType<V>>
    readonly origin: AuditOrigin
  },
  ...parameters: Parameters<V>
) => AuditDraft | undefined

/** Describes a call for the audit log that was refused because of many wrong ones before it. */
export interface RefusedRule<V extends Verb> {
  readonly refused: (...parameters: Parameters<V>) => AuditDraft
}

/**
 * The rule of the audit log for each asynchronous method of a service: `none` for those that change
 * nothing, and for changes that the log does not have.
 */
export type AuditRules<S> = {
  readonly [M in keyof S as S[M] extends Verb ? M : never]-?: S[M] extends Verb
    ? AuditRule<S[M]> | RefusedRule<S[M]> | 'none'
    : never
}
