import { DatabaseError } from 'pg'
import { LostConnection } from '../connection/statement.js'

/** Whether the database cannot be reached, ends, is read-only or has no resources left. */
export function isOutageError(error: unknown): boolean {
  if (error instanceof LostConnection) return true
  return error instanceof DatabaseError && /^(?:25|40|53|57)/.test(error.code ?? '')
}
