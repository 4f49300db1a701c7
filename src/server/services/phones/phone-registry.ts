import {
  addToPhoneRecord,
  mergeObservations,
  observeNext,
  type PhoneObservation,
} from '../../../domain/phone/phone-observation.js'
import { maxPhones, type PhoneRecord, phoneRetention } from '../../../domain/phone/phone-status.js'
import { PromiseQueue } from '../../../util/async/promise-queue.js'
import type { ServiceContext } from '../service-context.js'

export interface ObservedPhone {
  readonly id: string
  readonly account: string
  readonly name: string
  /** Absent if the registry knows only reports of the phone. */
  driver?: string
  observation: PhoneObservation
  saving?: PhoneObservation
  pendingNexts: number
}

interface UnsavedPhone {
  readonly phone: ObservedPhone
  readonly observation: PhoneObservation
}

/**
 * The phones of all accounts: the store has those of all nodes as of their last saves, memory has
 * what this node has observed since.
 */
export class PhoneRegistry {
  readonly #context: ServiceContext
  readonly #observed = new Map<string, Map<string, ObservedPhone>>()
  /** A save would store a phone again that is forgotten at the same time. */
  readonly #queue = new PromiseQueue()

  constructor(context: ServiceContext) {
    this.#context = context
  }

  async list(account: string): Promise<PhoneRecord[]> {
    // A save can end while the registry reads the store, so it looks at the memory first.
    const observed = this.#listUnsaved(account)
    return this.#merge(await this.#context.store.phones.list(account), observed)
  }

  async find(account: string, name: string): Promise<PhoneRecord | undefined> {
    const phone = this.#observed.get(account)?.get(name)
    const unsaved = phone === undefined ? [] : [{ phone, observation: this.#getUnsaved(phone) }]
    const record = await this.#context.store.phones.get(getId(account, name))
    const [found] = this.#merge(record === undefined ? [] : [record], unsaved)
    // Imported records can have other identifiers.
    return found ?? (await this.list(account)).find(phone => phone.name === name)
  }

  async listAll(): Promise<PhoneRecord[]> {
    const accounts = [...this.#observed.keys()]
    const observed = new Map(accounts.map(account => [account, this.#listUnsaved(account)]))
    const stored = new Map<string, PhoneRecord[]>(accounts.map(account => [account, []]))
    for (const record of await this.#context.store.phones.list()) {
      stored.set(record.account, [...(stored.get(record.account) ?? []), record])
    }
    return [...stored].flatMap(([account, records]) => {
      return this.#merge(records, observed.get(account) ?? [])
    })
  }

  #listUnsaved(account: string): UnsavedPhone[] {
    const phones = [...(this.#observed.get(account)?.values() ?? [])]
    return phones.map(phone => ({ phone, observation: this.#getUnsaved(phone) }))
  }

  #merge(records: readonly PhoneRecord[], observed: readonly UnsavedPhone[]): PhoneRecord[] {
    const phones = new Map<string, PhoneRecord>()
    for (const record of records) {
      const other = phones.get(record.name)
      const known = other === undefined ? record : addToPhoneRecord(record, record, other)
      if (known !== undefined) phones.set(record.name, known)
    }
    for (const { phone, observation } of observed) {
      const known = addToPhoneRecord(phones.get(phone.name), phone, observation)
      if (known !== undefined) phones.set(phone.name, known)
    }
    const since = this.#context.clock.now() - phoneRetention
    return sortByLastSeen(phones.values())
      .slice(0, maxPhones)
      .filter(phone => phone.lastSeenAt >= since)
  }

  /**
   * Returns a phone of an account, and adds it to the memory if it is not there. This may drop the
   * one that was observed first, with what is not saved of it.
   */
  observe(account: string, name: string): ObservedPhone {
    const phones = this.#observed.get(account) ?? new Map<string, ObservedPhone>()
    const known = phones.get(name)
    if (known !== undefined) return known
    this.#observed.set(account, phones)
    if (phones.size >= maxPhones) this.#dropFirst(phones)
    const phone = { id: getId(account, name), account, name, observation: {}, pendingNexts: 0 }
    phones.set(name, phone)
    return phone
  }

  /** Removes a phone; resolves to its last state, undefined if it is unknown. */
  async forget(account: string, name: string): Promise<PhoneRecord | undefined> {
    return await this.#queue.run(async () => {
      const { phones } = this.#context.store
      const found = await this.find(account, name)
      const observed = this.#observed.get(account)?.get(name)
      for (const record of await phones.list(account)) {
        if (record.name === name) await phones.change(record.id, () => null)
      }
      if (observed !== undefined) this.#drop(observed)
      return found
    })
  }

  /**
   * Saves what this node has observed since the last save: at most one write for each phone. Throws
   * `unavailable`.
   */
  async save(): Promise<void> {
    await this.#saveAll(() => [...this.#observed.values()].flatMap(phones => [...phones.values()]))
  }

  async saveOne(phone: ObservedPhone): Promise<void> {
    await this.#saveAll(() => [phone])
  }

  async #saveAll(list: () => readonly ObservedPhone[]): Promise<void> {
    await this.#queue.run(async () => {
      const saves = await Promise.allSettled(list().map(phone => this.#save(phone)))
      const added = saves.map(each => (each.status === 'fulfilled' ? each.value : undefined))
      for (const account of new Set(added)) {
        if (account !== undefined) await this.#removeSurplus(account)
      }
      const failed = saves.find(each => each.status === 'rejected')
      if (failed !== undefined) throw failed.reason
    })
  }

  async removeOld(): Promise<void> {
    const before = this.#context.clock.now() - phoneRetention
    const phones = await this.#context.store.phones.list()
    await this.#remove(phones.filter(phone => phone.lastSeenAt < before))
  }

  async #save(phone: ObservedPhone): Promise<string | undefined> {
    const saving = this.#getUnsaved(phone)
    if (isEmpty(saving)) return undefined
    phone.saving = saving
    phone.observation = {}
    try {
      const isNew = await this.#store(phone, saving)
      return isNew ? phone.account : undefined
    } catch (error) {
      phone.observation = mergeObservations(saving, phone.observation)
      throw error
    } finally {
      delete phone.saving
      if (phone.pendingNexts === 0 && isEmpty(phone.observation)) this.#drop(phone)
    }
  }

  /** Resolves to whether the store did not have the phone. */
  async #store(phone: ObservedPhone, observation: PhoneObservation): Promise<boolean> {
    const { phones, accounts } = this.#context.store
    let isNew = false
    const stored = await phones.change(phone.id, current => {
      isNew = current === undefined
      return addToPhoneRecord(current, phone, observation) ?? null
    })
    if (!isNew || stored === undefined) return false
    // The store removes the phones of an account only together with the account.
    if (await accounts.has(phone.account)) return true
    await phones.change(phone.id, () => null)
    return false
  }

  /** Removes the phones above the maximum that were not seen for longest. */
  async #removeSurplus(account: string): Promise<void> {
    const phones = await this.#context.store.phones.list(account)
    await this.#remove(sortByLastSeen(phones).slice(maxPhones))
  }

  async #remove(phones: readonly PhoneRecord[]): Promise<void> {
    for (const phone of phones) {
      await this.#context.store.phones.change(phone.id, current =>
        current !== undefined && current.lastSeenAt > phone.lastSeenAt ? current : null,
      )
    }
  }

  #getUnsaved(phone: ObservedPhone): PhoneObservation {
    const { observation, saving = {}, pendingNexts, driver } = phone
    const unsaved = mergeObservations(saving, observation)
    if (pendingNexts > 0) observeNext(unsaved, this.#context.clock.now())
    return driver === undefined ? unsaved : { ...unsaved, driver }
  }

  #dropFirst(phones: ReadonlyMap<string, ObservedPhone>): void {
    const all = [...phones.values()]
    const first = all.find(phone => phone.pendingNexts === 0) ?? all[0]
    if (first !== undefined) this.#drop(first)
  }

  #drop(phone: ObservedPhone): void {
    const phones = this.#observed.get(phone.account)
    if (phones?.get(phone.name) !== phone) return
    phones.delete(phone.name)
    if (phones.size === 0) this.#observed.delete(phone.account)
  }
}

function getId(account: string, name: string): string {
  return `${account} ${name}`
}

function isEmpty({ lastSeenAt, lastSuccessAt, lastFailureAt }: PhoneObservation): boolean {
  return (lastSeenAt ?? lastSuccessAt ?? lastFailureAt) === undefined
}

function sortByLastSeen(phones: Iterable<PhoneRecord>): PhoneRecord[] {
  return [...phones].sort((a, b) => b.lastSeenAt - a.lastSeenAt)
}
