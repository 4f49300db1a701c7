import type { Account } from '../../../domain/account/account.js'
import { type ContactGroup, normalizeName, sortByName } from '../../../domain/contact/contact.js'
import { limits } from '../../../domain/limits.js'
import { isRelayError, RelayError } from '../../../errors.js'
import type { Store } from '../../store/store.js'
import { createAccountRecord } from '../create-account-record.js'
import type { ServiceContext } from '../service-context.js'

/** Checks the current record in the change of a service; nothing changes if it throws. */
type Check<T> = (current: T) => void

export class GroupService {
  readonly #context: ServiceContext

  constructor(context: ServiceContext) {
    this.#context = context
  }

  withStore(store: Store): GroupService {
    return new GroupService({ ...this.#context, store })
  }

  async list(account: Account): Promise<ContactGroup[]> {
    const groups = await this.#context.store.groups.list(account.id)
    return sortByName(groups)
  }

  async countMembers(account: Account): Promise<ReadonlyMap<string, number>> {
    return await this.#context.store.contacts.countMembers(account.id)
  }

  async get(account: Account, id: string): Promise<ContactGroup> {
    return requireGroup(await this.#context.store.groups.get(id), account, id)
  }

  async findByName(account: Account, name: string): Promise<ContactGroup> {
    const groups = await this.#context.store.groups.list(account.id)
    const found = groups.find(each => normalizeName(each.name) === normalizeName(name))
    if (found !== undefined) return found
    throw new RelayError('not_found', `There is no group ${name}; list the groups.`)
  }

  async create(account: Account, name: string): Promise<ContactGroup> {
    const { store, newId, clock } = this.#context
    const groups = await store.groups.list(account.id)
    if (groups.length >= limits.groups)
      throw new RelayError('invalid_parameter', `There are ${limits.groups} groups already.`)
    const group = { id: newId(), account: account.id, name, createdAt: clock.now() }
    await createAccountRecord(store, store.groups, group)
    return group
  }

  async rename(
    account: Account,
    id: string,
    name: string,
    check?: Check<ContactGroup>,
  ): Promise<ContactGroup> {
    const changed = await this.#context.store.groups.change(id, current => {
      const group = requireGroup(current, account, id)
      check?.(group)
      return group.name === name ? group : { ...group, name }
    })
    return requireGroup(changed, account, id)
  }

  async remove(account: Account, id: string, check?: Check<ContactGroup>): Promise<ContactGroup> {
    const { store } = this.#context
    let removed: ContactGroup | undefined
    await store.groups.change(id, current => {
      removed = requireGroup(current, account, id)
      check?.(removed)
      return null
    })
    // A member that is not reached, because the relay ends, has a group that means nothing.
    for (;;) {
      const page = { count: limits.contactBatch, group: id }
      const members = await store.contacts.getPage(account.id, page)
      const numbers = members.map(({ number }) => number)
      await store.contacts.changeAll(account.id, numbers, (_, current) => {
        const groups = current?.groups?.filter(each => each !== id)
        return current && { ...current, groups: groups ?? [] }
      })
      if (members.length < limits.contactBatch) return requireGroup(removed, account, id)
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
      return (await this.create(account, name)).id
    } catch (error) {
      // Another request may have created it meanwhile.
      if (!isRelayError(error, 'invalid_parameter')) throw error
      const id = (await this.#listByName(account)).get(normalizeName(name))
      if (id === undefined) throw error
      return id
    }
  }

  async #listByName(account: Account): Promise<Map<string, string>> {
    const groups = await this.#context.store.groups.list(account.id)
    return new Map(groups.map(({ id, name }) => [normalizeName(name), id]))
  }
}

function requireGroup(
  group: ContactGroup | undefined,
  { id: account }: Account,
  id: string,
): ContactGroup {
  if (group?.account === account) return group
  throw new RelayError('not_found', `There is no group ${id}; list the groups to see their ids.`)
}
