import {
  maxPhones,
  type PhoneRecord,
  phoneRetention,
  unknownPhone,
} from '../../../domain/phone/phone-status.js'
import type { ServiceContext } from '../service-context.js'

/** A phone in memory; times in milliseconds since the epoch. */
export interface KnownPhone {
  readonly id: string
  readonly account: string
  readonly name: string
  driver: string
  firstNextAt?: number
  lastNextAt?: number
  lastSeenAt: number
  quietUntil?: number
  lastSuccessAt?: number
  lastFailureAt?: number
  /** NEXT requests of the registry's phone that are not answered yet. */
  pendingNexts: number
  /** Whether the registry has saved this state of the phone. */
  isSaved: boolean
}

/** The phones of all accounts: in memory, loaded from the store and saved to it. */
export class PhoneRegistry {
  readonly #context: ServiceContext
  readonly #accounts = new Map<string, Map<string, KnownPhone>>()
  readonly #dropped = new Set<string>()

  constructor(context: ServiceContext) {
    this.#context = context
  }

  async open(): Promise<void> {
    this.#accounts.clear()
    for (const phone of await this.#context.store.phones.list()) {
      const lastSeenAt = phone.lastSeenAt ?? phone.lastNextAt ?? 0
      this.#add({ ...phone, lastSeenAt, pendingNexts: 0, isSaved: true })
    }
  }

  list(account: string): KnownPhone[] {
    return [...(this.#accounts.get(account)?.values() ?? [])]
  }

  get(account: string, name: string): KnownPhone | undefined {
    return this.#accounts.get(account)?.get(name)
  }

  /**
   * Returns a phone of an account, and adds it if it is unknown; this may drop the phone that was
   * not seen for longest.
   */
  getOrAdd(account: string, name: string, now: number): KnownPhone {
    const known = this.get(account, name)
    if (known !== undefined) return known
    const state = { lastSeenAt: now, pendingNexts: 0, isSaved: false }
    const phone = { id: `${account} ${name}`, account, name, ...state }
    const added = this.#add({ ...phone, driver: unknownPhone.driver })
    if ((this.#accounts.get(account)?.size ?? 0) > maxPhones) this.#dropOldest(account, added)
    return added
  }

  /** Removes a phone; undefined if it is unknown. Throws `unavailable`. */
  async forget(account: string, name: string): Promise<KnownPhone | undefined> {
    const phone = this.get(account, name)
    if (phone === undefined) return undefined
    await this.#context.store.phones.change(phone.id, () => null)
    // A save of the registry in the meantime may have stored the phone again.
    this.#drop(phone)
    return phone
  }

  /**
   * Saves the registry's changed phones and drops those that are past their retention. Throws
   * `unavailable`.
   */
  async save(): Promise<void> {
    const { store, clock } = this.#context
    for (const account of [...this.#accounts.keys()]) {
      // The store removed the phones with the account.
      if ((await store.accounts.get(account)) === undefined) this.#accounts.delete(account)
    }
    const all = [...this.#accounts.keys()].flatMap(account => this.list(account))
    for (const phone of all) {
      if (phone.pendingNexts === 0 && clock.now() - phone.lastSeenAt > phoneRetention)
        this.#drop(phone)
    }
    const changed = all.filter(phone => !phone.isSaved && !this.#dropped.has(phone.id))
    await Promise.all([...changed.map(phone => this.#save(phone)), ...this.#deleteDropped()])
  }

  async #save(phone: KnownPhone): Promise<void> {
    phone.isSaved = true
    try {
      await this.#context.store.phones.change(phone.id, () => toPhoneRecord(phone))
    } catch (error) {
      phone.isSaved = false
      throw error
    }
  }

  #deleteDropped(): Promise<void>[] {
    return [...this.#dropped].map(async id => {
      await this.#context.store.phones.change(id, () => null)
      this.#dropped.delete(id)
    })
  }

  #add(phone: KnownPhone): KnownPhone {
    const phones = this.#accounts.get(phone.account) ?? new Map<string, KnownPhone>()
    this.#accounts.set(phone.account, phones)
    phones.set(phone.name, phone)
    this.#dropped.delete(phone.id)
    return phone
  }

  #drop(phone: KnownPhone): void {
    this.#accounts.get(phone.account)?.delete(phone.name)
    this.#dropped.add(phone.id)
  }

  #dropOldest(account: string, except: KnownPhone): void {
    const others = this.list(account).filter(phone => phone !== except)
    const oldest = others.reduce((a, b) => (b.lastSeenAt < a.lastSeenAt ? b : a))
    this.#drop(oldest)
  }
}

function toPhoneRecord({ pendingNexts, isSaved, ...record }: KnownPhone): PhoneRecord {
  return record
}
