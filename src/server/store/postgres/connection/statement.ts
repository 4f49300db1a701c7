import { createHash } from 'node:crypto'

/** One SQL statement of the store: a constant text and a name for its prepared form. */
export interface Statement {
  readonly name: string
  readonly text: string
}

/** A connection to the database that is opened when it is needed, and again after it was lost. */
export interface Connection {
  /**
   * Runs one statement in its own transaction. Several may be in progress; they run in order.
   * `changes` is the number of requests that share it, one by default.
   * Throws LostConnection if the outcome is unknown, and DatabaseError, with the SQLSTATE as
   * `code`, if the database refused the statement and nothing changed.
   */
  query<Row>(statement: Statement, values?: readonly unknown[], changes?: number): Promise<Row[]>
  close(): Promise<void>
}

export interface ConnectionOptions {
  readonly onNotification?: (channel: string, payload: string) => void
  readonly onLost?: () => void
  /** Milliseconds after which a statement without a reply loses the connection. @default 10,000 */
  readonly timeout?: number
}

/** The connection ended before the reply: the statement was done, or was not, or still will be. */
export class LostConnection extends Error {
  override readonly name = 'LostConnection'
}

const names = new WeakMap<Statement, string>()
const writing = new WeakMap<Statement, boolean>()
/** Commands that write rows; a `for update` only locks them. */
const writes = /\b(?:insert into|delete from|(?<!for (?:no key )?)update)\b/

/**
 * The name under which a statement is prepared. It contains a hash of the text, because two
 * versions of the program can share a connection to the server behind a connection pooler.
 */
export function getPreparedName(statement: Statement): string {
  const known = names.get(statement)
  if (known !== undefined) return known
  const hash = createHash('sha256').update(statement.text).digest('hex').slice(0, 12)
  const name = `${statement.name.slice(0, 40)}_${hash}`
  names.set(statement, name)
  return name
}

/** Whether a statement writes rows, so that its transaction waits for the disk. */
export function isWriting(statement: Statement): boolean {
  const known = writing.get(statement)
  if (known !== undefined) return known
  const found = writes.test(statement.text)
  writing.set(statement, found)
  return found
}
