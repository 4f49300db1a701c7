import { AsyncLocalStorage } from 'node:async_hooks'
import type { AuditOrigin } from '../../domain/audit/audit-entry.js'
import type { CommitAudit } from './audit-store.js'

/** For whom the work in progress acts, and the call of a service whose commits the store audits. */
interface AuditScope {
  readonly origin?: AuditOrigin | undefined
  readonly call?: CommitAudit
  isOver: boolean
}

const scopes = new AsyncLocalStorage<AuditScope | undefined>()
let running = 0

/** Runs work for somebody: calls of audited services in it append to the audit log. */
export async function actFor<T>(origin: AuditOrigin, work: () => Promise<T>): Promise<T> {
  return await runIn({ origin, isOver: false }, work)
}

/** Runs one call of a service, whose changes of the store and audit entry are one commit. */
export async function withAudit<T>(call: CommitAudit, work: () => Promise<T>): Promise<T> {
  return await runIn({ origin: getOrigin(), call, isOver: false }, work)
}

/** Runs what the store does for everybody, such as calling its listeners. */
export function withoutAudit<T>(work: () => T): T {
  return running === 0 ? work() : scopes.exit(work)
}

export function getOrigin(): AuditOrigin | undefined {
  return getScope()?.origin
}

export function getAudit(): CommitAudit | undefined {
  return getScope()?.call
}

function getScope(): AuditScope | undefined {
  if (running === 0) return undefined
  const scope = scopes.getStore()
  // Work that the call began and did not wait for, such as a timer.
  return scope?.isOver === true ? undefined : scope
}

/** An enabled AsyncLocalStorage makes every `await` of the process cost more than twice as much. */
async function runIn<T>(scope: AuditScope, work: () => Promise<T>): Promise<T> {
  running += 1
  try {
    return await scopes.run(scope, work)
  } finally {
    scope.isOver = true
    running -= 1
    if (running === 0) scopes.disable()
  }
}
