import type { Kind, Records } from '../../lowdb/records/collections.js'

export type Row = Readonly<Record<string, unknown>>

interface ExportedEntry<K extends Kind> {
  readonly key: string
  readonly record: Records[K]
}

export interface TransferTable<K extends Kind = Kind> {
  readonly kind: K
  readonly table: string
  readonly columns: Readonly<Record<string, string>>
  /** Columns by which an export of the table orders the rows. */
  readonly order: string
  toRow(record: Records[K], key: string): Row
  toEntry(row: Row): ExportedEntry<K>
}

export const text = 'text'
export const bigint = 'bigint'
export const json = 'json'
export const jsonb = 'jsonb'

export function toIdEntry<K extends Kind>({ id, doc }: Row): ExportedEntry<K> {
  return { key: id as string, record: doc as Records[K] }
}
