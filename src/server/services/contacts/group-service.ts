import type { Account } from '../../../domain/account/account.js'
import { normalizeName } from '../../../domain/contact/contact.js'
import { limits } from '../../../domain/limits.js'
import { isRelayError, RelayError } from '../../../errors.js'
import { type ContactGroup, group } from '../../../resources/group.js'
import { type Describe, ResourceService } from '../resource-service.js'
import type { ServiceContext } from '../service-context.js'

export class GroupService extends ResourceService<typeof group> {
  constructor(context: ServiceContext) {
    super(context, group)
  }

  override async describe(account: Account): Promise<Describe<typeof group>> {
    const members = await this.context.store.contacts.countMembers(account.id)
    return ({ record }) => ({ members: members.get(record.id) ?? 0 })
  }

  async findByName(account: Account, name: string): Promise<ContactGroup> {
    const groups = await this.context.store.groups.list(account.id)
    const found = groups.find(each => normalizeName(each.name) === normalizeName(name))
    if (found !== undefined) return found
    throw new RelayError('not_found', `There is no group ${name}; list the groups.`)
  }

  override async remove(
    account: Account,
    id: string,
    check?: (current: ContactGroup) => void,
  ): Promise<ContactGroup> {
    const removed = await super.remove(account, id, check)
    const { store } = this.context
    // A member that is not reached, because the relay ends, has a group that means nothing.
    for (;;) {
      const page = { count: limits.contactBatch, group: id }
      const members = await store.contacts.getPage(account.id, page)
      const numbers = members.map(({ number }) => number)
      await store.contacts.changeAll(account.id, numbers, (_, current) => {
        const groups = current?.groups?.filter(each => each !== id)
        return current && { ...current, groups: groups ?? [] }
      })
      if (members.length < limits.contactBatch) return removed
    }
  }

  /** The identifiers of groups by name, in order; creates those that are missing. */
  async requireAll(account: Account, names: readonly string[]): Promise<string[]> {
    if (names.length === 0) return []
    const byName = await this.#listByName(account)
    const ids: string[] = []
    for (const name of names) {
      const key = normalizeName(name)
      const id = byName.get(key) ?? (await this.#createOrFind(account, name))
      byName.set(key, id)
      if (!ids.includes(id)) ids.push(id)
    }
    return ids
  }

  /** The identifiers of groups by name, in order; that of a missing one is not an identifier. */
  async findAll(account: Account, names: readonly string[]): Promise<string[]> {
    const byName = await this.#listByName(account)
    return names.map(name => byName.get(normalizeName(name)) ?? `missing ${name}`)
  }

  async #createOrFind(account: Account, name: string): Promise<string> {
    try {
      return (await this.create(account, { name })).record.id
    } catch (error) {
      // Another request may have created it meanwhile.
      if (!isRelayError(error, 'invalid_parameter')) throw error
      const id = (await this.#listByName(account)).get(normalizeName(name))
      if (id === undefined) throw error
      return id
    }
  }

  async #listByName(account: Account): Promise<Map<string, string>> {
    const groups = await this.context.store.groups.list(account.id)
    return new Map(groups.map(({ id, name }) => [normalizeName(name), id]))
  }
}
