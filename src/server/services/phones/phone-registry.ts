import {
  maxPhones,
  type PhoneRecord,
  phoneRetention,
  unknownPhone,
} from '../../../domain/phone/phone-status.js'
import type { ServiceContext } from '../service-context.js'

/** A phone in memory. */
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
  /** Number of its NEXTs that are not answered yet. */
  pendingNexts: number
  /** Whether the disk knows as much. */
  isSaved: boolean
}

/** The phones of all accounts in memory, and how they come from the disk and go there. */
export class PhoneRegistry {
  readonly #context: ServiceContext
  readonly #accounts = new Map<string, Map<string, KnownPhone>>()
  /** Identifiers of phones that the disk is yet to forget. */
  readonly #gone = new Set<string>()

  constructor(context: ServiceContext) {
    this.#context = context
  }

  /** Reads what is on the disk. */
  async open(): Promise<void> {
    this.#accounts.clear()
    for (const phone of await this.#context.store.phones.list()) {
      const lastSeenAt = phone.lastSeenAt ?? phone.lastNextAt ?? 0
      this.#add({ ...phone, lastSeenAt, pendingNexts: 0, isSaved: true })
    }
  }

  /** An account's phones. */
  list(account: string): KnownPhone[] {
    return [...(this.#accounts.get(account)?.values() ?? [])]
  }

  /** A phone that is known. */
  get(account: string, name: string): KnownPhone | undefined {
    return this.#accounts.get(account)?.get(name)
  }

  /** A phone, new where it is not known; then it may take the place of another. */
  getOrAdd(account: string, name: string, now: number): KnownPhone {
    const known = this.get(account, name)
    if (known !== undefined) return known
    const state = { lastSeenAt: now, pendingNexts: 0, isSaved: false }
    const phone = { id: `${account} ${name}`, account, name, ...state }
    const added = this.#add({ ...phone, driver: unknownPhone.driver })
    if ((this.#accounts.get(account)?.size ?? 0) > maxPhones) this.#dropOldest(account, added)
    return added
  }

  /** Forgets a phone; undefined when it is not known. Throws `unavailable`. */
  async forget(account: string, name: string): Promise<KnownPhone | undefined> {
    const phone = this.get(account, name)
    if (phone === undefined) return undefined
    await this.#context.store.phones.change(phone.id, () => null)
    // It may have been written once more meanwhile.
    this.#drop(phone)
    return phone
  }

  /** Writes what changed, in one go, and drops who is not to be known any more. Throws `unavailable`. */
  async save(): Promise<void> {
    const { store, now } = this.#context
    for (const account of [...this.#accounts.keys()]) {
      // Its records went with it.
      if ((await store.accounts.get(account)) === undefined) this.#accounts.delete(account)
    }
    const all = [...this.#accounts.keys()].flatMap(account => this.list(account))
    for (const phone of all) {
      if (phone.pendingNexts === 0 && now() - phone.lastSeenAt > phoneRetention) this.#drop(phone)
    }
    const changed = all.filter(phone => !phone.isSaved && !this.#gone.has(phone.id))
    await Promise.all([...changed.map(phone => this.#write(phone)), ...this.#erase()])
  }

  async #write(phone: KnownPhone): Promise<void> {
    phone.isSaved = true
    try {
      await this.#context.store.phones.change(phone.id, () => toPhoneRecord(phone))
    } catch (error) {
      phone.isSaved = false
      throw error
    }
  }

  #erase(): Promise<void>[] {
    return [...this.#gone].map(async id => {
      await this.#context.store.phones.change(id, () => null)
      this.#gone.delete(id)
    })
  }

  #add(phone: KnownPhone): KnownPhone {
    const phones = this.#accounts.get(phone.account) ?? new Map<string, KnownPhone>()
    this.#accounts.set(phone.account, phones)
    phones.set(phone.name, phone)
    this.#gone.delete(phone.id)
    return phone
  }

  #drop(phone: KnownPhone): void {
    this.#accounts.get(phone.account)?.delete(phone.name)
    this.#gone.add(phone.id)
  }

  #dropOldest(account: string, but: KnownPhone): void {
    const others = this.list(account).filter(phone => phone !== but)
    const oldest = others.reduce((a, b) => (b.lastSeenAt < a.lastSeenAt ? b : a))
    this.#drop(oldest)
  }
}

function toPhoneRecord({ pendingNexts: asking, isSaved, ...state }: KnownPhone): PhoneRecord {
  return state
}
