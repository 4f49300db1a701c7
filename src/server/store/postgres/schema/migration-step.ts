/**
 * A numbered change of the schema. It only adds, so that programs of the version before keep
 * working beside new ones; a later step removes what no program uses any more.
 */
export interface MigrationStep {
  readonly version: number
  /** The change in one sentence, which `database migrate` shows. */
  readonly summary: string
  /** The schema version of the oldest program that works with the schema after this step. */
  readonly oldestProgram: number
  /** Indexes to build before the other changes, while programs of the version before write. */
  readonly indexes?: readonly NewIndex[]
  /** SQL statements, which run in one transaction with the other steps. */
  readonly text: string
}

/** An index of a table that may have many rows. */
export interface NewIndex {
  readonly name: string
  readonly table: string
  /** The columns in parentheses, and the condition. */
  readonly on: string
}
