import type { Account } from '../../../domain/account/account.js'
import type { PhoneNetwork } from '../../../domain/phone/phone-network.js'
import { observeNext, observePresence } from '../../../domain/phone/phone-observation.js'
import {
  isPhoneLabel,
  maxQuietTime,
  type PhoneRecord,
  silentAfter,
  unknownPhone,
} from '../../../domain/phone/phone-status.js'
import { RelayError } from '../../../errors.js'
import { LruMap } from '../../../util/collections/lru-map.js'
import type { Caller } from '../accounts/token-service.js'
import type { ServiceContext } from '../service-context.js'
import { type ObservedPhone, PhoneRegistry } from './phone-registry.js'

/**
 * What the phone service learns from the header fields of a phone's requests; anything but 1 to 64
 * printable ASCII characters is ignored.
 */
export interface PhoneIntroduction {
  readonly name?: string | undefined
  readonly driver?: string | undefined
}

/** A sign of life, for the phone service, of a phone that is not asking for messages. */
export interface PhonePresence extends PhoneIntroduction {
  readonly quietUntil?: number | undefined
  readonly network?: PhoneNetwork | undefined
}

type ReportKind = 'success' | 'failure'

/** A phone as users see it; times in milliseconds since the epoch. */
export interface PhoneView extends Omit<PhoneRecord, 'id' | 'account'> {
  readonly quietUntil?: number
  readonly lastQuietAt?: number
  /**
   * For the phone service: whether the phone gave no sign of life for five minutes. Whether the
   * relay ran makes no difference: a dead phone stays silent over a restart.
   */
  readonly silent: boolean
}

export type PhoneState = 'alive' | 'quiet' | 'silent'

const maxRememberedHolders = 10_000

/**
 * Tracks the phones of each account by their requests, to any node. What this node observes is in
 * memory until the next {@link save}; lists have it at once, and those of other nodes after it.
 */
export class PhoneService {
  readonly #context: ServiceContext
  readonly #registry: PhoneRegistry
  readonly #names = new LruMap<string, string>(maxRememberedHolders, () => 1)

  constructor(context: ServiceContext) {
    this.#context = context
    this.#registry = new PhoneRegistry(context)
  }

  /** Records a NEXT; the phone counts as alive until the returned function is called. */
  trackNext({ account, holder, kind }: Caller, introduction: PhoneIntroduction): () => void {
    if (kind !== 'app') return () => {}
    const phone = this.#observe(account, introduction)
    phone.observation.holder = holder
    const recordNext = (): void => observeNext(phone.observation, this.#context.clock.now())
    phone.pendingNexts += 1
    recordNext()
    const isFirst = this.#names.get(holder) === undefined
    this.#names.set(holder, phone.name)
    if (isFirst) this.#saveHolder(phone)
    return () => {
      phone.pendingNexts -= 1
      recordNext()
    }
  }

  /**
   * Records a sign of life of a phone that is not asking, and its quiet hours, which end at its
   * next NEXT at the latest. Without a name and a time it changes nothing.
   */
  recordPresence({ account, kind }: Caller, presence: PhonePresence): void {
    const { name, quietUntil, network } = presence
    if (kind !== 'app' || (toPhoneLabel(name) ?? quietUntil) === undefined) return
    const { observation } = this.#observe(account, presence)
    const now = this.#context.clock.now()
    const end = quietUntil === undefined ? undefined : Math.min(quietUntil, now + maxQuietTime)
    observePresence(observation, now, end)
    if (network !== undefined) observation.network = { ...network, at: now }
  }

  /**
   * Records a phone's report, named by itself or by its last NEXT with the same token on this node.
   * It has no effect if no phone has that name.
   */
  recordReport({ account, holder }: Caller, { name }: PhoneIntroduction, kind: ReportKind): void {
    const known = toPhoneLabel(name) ?? this.#names.get(holder) ?? unknownPhone.name
    const { observation } = this.#registry.observe(account.id, known)
    observation[kind === 'success' ? 'lastSuccessAt' : 'lastFailureAt'] = this.#context.clock.now()
  }

  async list(account: Account): Promise<PhoneView[]> {
    const phones = await this.#registry.list(account.id)
    return phones.map(phone => this.#toView(phone)).sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  async find(account: Account, name: string): Promise<PhoneView | undefined> {
    const phone = await this.#registry.find(account.id, name)
    return phone && this.#toView(phone)
  }

  /** Finds the name of the phone whose last NEXT had this token; undefined if it is not known. */
  async findName({ id }: Pick<Account, 'id'>, holder: string): Promise<string | undefined> {
    const known = (await this.#registry.list(id)).find(each => each.holder === holder)
    return known?.name ?? this.#names.get(holder)
  }

  async countByState(): Promise<Record<PhoneState, number>> {
    const counts = { alive: 0, quiet: 0, silent: 0 }
    for (const record of await this.#registry.listAll()) {
      const { silent, quietUntil } = this.#toView(record)
      counts[silent ? 'silent' : quietUntil === undefined ? 'alive' : 'quiet'] += 1
    }
    return counts
  }

  /**
   * Removes a phone and resolves to its last state; its next NEXT adds it again. Throws
   * `not_found`.
   */
  async forget(account: Account, name: string): Promise<PhoneView> {
    const phone = await this.#registry.forget(account.id, name)
    if (phone !== undefined) return this.#toView(phone)
    throw new RelayError(
      'not_found',
      `There is no phone ${name}; list the phones to see their names.`,
    )
  }

  async save(): Promise<void> {
    await this.#registry.save()
  }

  async removeOld(): Promise<void> {
    await this.#registry.removeOld()
  }

  /** The name of a phone must outlive this node: its lease can end without a report. */
  #saveHolder(phone: ObservedPhone): void {
    this.#registry.saveOne(phone).catch(() => {
      // The next save of all phones stores it, or reports why it cannot.
    })
  }

  #observe(account: Account, { name, driver }: PhoneIntroduction): ObservedPhone {
    const phone = this.#registry.observe(account.id, toPhoneLabel(name) ?? unknownPhone.name)
    phone.driver = toPhoneLabel(driver) ?? unknownPhone.driver
    return phone
  }

  #toView({ id, account, quietUntil, lastSeenAt, ...phone }: PhoneRecord): PhoneView {
    const now = this.#context.clock.now()
    return {
      ...phone,
      lastSeenAt,
      ...toQuietFields(quietUntil, now),
      silent: now - lastSeenAt > silentAfter,
    }
  }
}

function toQuietFields(
  end: number | undefined,
  now: number,
): Pick<PhoneView, 'quietUntil' | 'lastQuietAt'> {
  if (end === undefined) return {}
  return end > now ? { quietUntil: end } : { lastQuietAt: end }
}

function toPhoneLabel(text: string | undefined): string | undefined {
  return text !== undefined && isPhoneLabel(text) ? text : undefined
}
