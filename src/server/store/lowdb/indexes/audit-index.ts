import type { AuditEntry } from '../../../../domain/audit/audit-entry.js'
import { SortedList } from './sorted-list.js'

const pageSize = 256

export class AuditIndex {
  readonly #all = createList()
  readonly #lists = new Map<string, SortedList<string, string>>()

  update(before: AuditEntry | undefined, after: AuditEntry | undefined): void {
    if (before !== undefined) this.#remove(before)
    if (after === undefined) return
    this.#all.add(after.id)
    const list = this.#lists.get(after.account) ?? createList()
    this.#lists.set(after.account, list)
    list.add(after.id)
  }

  /** The identifiers of the audit entries, the newest first. */
  *listBack(account: string | undefined, before: string | undefined): Generator<string> {
    const list = account === undefined ? this.#all : this.#lists.get(account)
    if (list === undefined) return
    for (let last = before; ; ) {
      const page = list.listBefore(last, pageSize)
      yield* page.toReversed()
      last = page[0]
      if (last === undefined) return
    }
  }

  listFirst(count: number): string[] {
    return this.#all.listAfter('', count)
  }

  #remove({ id, account }: AuditEntry): void {
    this.#all.remove(id)
    const list = this.#lists.get(account)
    list?.remove(id)
    if (list?.first === undefined) this.#lists.delete(account)
  }
}

function createList(): SortedList<string, string> {
  return new SortedList<string, string>(id => id)
}
