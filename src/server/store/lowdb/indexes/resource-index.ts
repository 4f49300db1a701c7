import { buildListKey } from '../../../../domain/list-key.js'
import type { Resource } from '../../../../resources/resource.js'
import { listUniqueKeys, type UniqueKey } from '../../resource-store.js'
import { OwnedIndex } from './owned-index.js'

interface StoredRecord {
  readonly id: string
  readonly account: string
  readonly createdAt: number
}

/** Records of a resource in order of creation, and by the values that no two of them share. */
export class ResourceIndex extends OwnedIndex<StoredRecord> {
  readonly #keys: readonly UniqueKey[]
  readonly #ids = new Map<string, string>()

  constructor(resource: Resource) {
    super(
      ({ account }) => account,
      ({ createdAt, id }) => buildListKey(createdAt, id),
    )
    this.#keys = listUniqueKeys(resource)
  }

  override update(before: StoredRecord | undefined, after: StoredRecord | undefined): void {
    super.update(before, after)
    for (const place of this.#listPlaces(before)) this.#ids.delete(place)
    for (const place of this.#listPlaces(after)) this.#ids.set(place, after?.id ?? '')
  }

  findId(column: string, value: string): string | undefined {
    return this.#ids.get(` ${column} ${value}`)
  }

  isTaken(record: StoredRecord): boolean {
    return this.#listPlaces(record).some(place => (this.#ids.get(place) ?? record.id) !== record.id)
  }

  #listPlaces(record: StoredRecord | undefined): string[] {
    if (record === undefined) return []
    return this.#keys.flatMap(({ column, isOfAccount, read }) => {
      const value = read(record)
      return value === undefined ? [] : [`${isOfAccount ? record.account : ''} ${column} ${value}`]
    })
  }
}
