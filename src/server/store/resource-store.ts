import { normalizeName } from '../../domain/contact/contact.js'
import { RelayError } from '../../errors.js'
import type { Resource } from '../../resources/resource.js'
import type { ResourceRecords, resources } from '../../resources/resources.js'
import type { AccountListStore } from './account-store.js'

/**
 * Store of the records of a resource. `change` throws `invalid_parameter` for a record with a value
 * that another one has, if the resource declares it as unique.
 */
export interface ResourceStore<K extends keyof ResourceRecords>
  extends AccountListStore<ResourceRecords[K]> {
  /** Finds the record with a value that is unique in the relay, such as the hash of its key. */
  findBy(key: string, value: string): Promise<ResourceRecords[K] | undefined>
}

export type ResourceStores = {
  readonly [K in keyof ResourceRecords as (typeof resources)[K]['plural']]: ResourceStore<K>
}

/** A value that no two records share: of one account, or of the relay. */
export interface UniqueKey {
  /** Of the record. */
  readonly field: string
  /** In PostgreSQL, and for `findBy`. */
  readonly column: string
  readonly isOfAccount: boolean
  readonly read: (record: object) => string | undefined
}

export function listUniqueKeys({ fields }: Resource): UniqueKey[] {
  return Object.entries(fields).flatMap(([name, field]): UniqueKey[] => {
    if (field.kind === 'key') return [createKey('hash', 'hash', false)]
    if (field.kind !== 'text' || field.unique === undefined) return []
    const stored = field.stored ?? name
    return field.unique === 'relay'
      ? [createKey(stored, stored, false)]
      : [createKey(stored, `${stored}_key`, true)]
  })
}

function createKey(field: string, column: string, isOfAccount: boolean): UniqueKey {
  const read = (record: object) => {
    const value = (record as Readonly<Record<string, string | undefined>>)[field]
    return value !== undefined && isOfAccount ? normalizeName(value) : value
  }
  return { field, column, isOfAccount, read }
}

/** @param record that has a value of another one; the hash of a new key is never that of another */
export function createTakenError(resource: Resource, record: object): RelayError {
  const field = listUniqueKeys(resource).find(key => key.field !== 'hash')?.field ?? 'id'
  const value = (record as Readonly<Record<string, unknown>>)[field]
  return new RelayError('invalid_parameter', `\`${field}\` ${value} is taken; choose another.`)
}
