import { buildListKey } from '../../../../domain/list-key.js'
import type { Mailbox } from '../../../../resources/mailbox.js'
import { OwnedIndex } from './owned-index.js'

export class MailboxIndex extends OwnedIndex<Mailbox> {
  readonly #byAlias = new Map<string, string>()
  readonly #byHash = new Map<string, string>()

  constructor() {
    super(
      ({ account }) => account,
      ({ createdAt, id }) => buildListKey(createdAt, id),
    )
  }

  override update(before: Mailbox | undefined, after: Mailbox | undefined): void {
    super.update(before, after)
    if (before?.alias !== undefined) this.#byAlias.delete(before.alias)
    if (before?.hash !== undefined) this.#byHash.delete(before.hash)
    if (after?.alias !== undefined) this.#byAlias.set(after.alias, after.id)
    if (after?.hash !== undefined) this.#byHash.set(after.hash, after.id)
  }

  findIdByAlias(alias: string): string | undefined {
    return this.#byAlias.get(alias)
  }

  findIdByHash(hash: string): string | undefined {
    return this.#byHash.get(hash)
  }
}
