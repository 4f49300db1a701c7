import type { Account } from '../../../domain/account/account.js'
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
import { type KnownPhone, PhoneRegistry } from './phone-registry.js'

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
  /**
   * End of the quiet hours, as told to the phone service, in milliseconds since the epoch; absent
   * outside of them.
   */
  readonly quietUntil?: number | undefined
}

type ReportKind = 'success' | 'failure'

/** A phone as users see it; times in milliseconds since the epoch. */
export interface PhoneView extends Omit<PhoneRecord, 'id' | 'account'> {
  readonly lastSeenAt: number
  /** For the phone service: end of a phone's present quiet hours. */
  readonly quietUntil?: number
  /** For the phone service: end of a phone's last quiet hours; absent during quiet hours. */
  readonly lastQuietAt?: number
  /**
   * For the phone service: whether the phone gave no sign of life for five minutes while the relay
   * ran.
   */
  readonly silent: boolean
}

/** Tokens whose phone the service remembers. */
const maxRememberedHolders = 10_000

/**
 * Tracks the phones of each account by their requests. Memory is always current; the store has the
 * state of the last {@link save}.
 */
export class PhoneService {
  readonly #context: ServiceContext
  readonly #registry: PhoneRegistry
  readonly #byHolder = new LruMap<string, KnownPhone>(maxRememberedHolders, () => 1)
  #openedAt: number

  constructor(context: ServiceContext) {
    this.#context = context
    this.#registry = new PhoneRegistry(context)
    this.#openedAt = context.clock.now()
  }

  async open(): Promise<void> {
    this.#openedAt = this.#context.clock.now()
    await this.#registry.open()
  }

  /** Records a NEXT; the phone counts as alive until the returned function is called. */
  trackNext({ account, holder, kind }: Caller, introduction: PhoneIntroduction): () => void {
    if (kind !== 'app') return () => {}
    const phone = this.#getOrAdd(account, introduction)
    this.#byHolder.set(holder, phone)
    phone.pendingNexts += 1
    const recordNext = () => {
      const now = this.#context.clock.now()
      phone.firstNextAt ??= now
      phone.lastNextAt = now
      phone.lastSeenAt = now
      endQuietTime(phone, now)
      phone.isSaved = false
    }
    recordNext()
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
    const { name, quietUntil } = presence
    if (kind !== 'app' || (toPhoneLabel(name) ?? quietUntil) === undefined) return
    const phone = this.#getOrAdd(account, presence)
    const now = this.#context.clock.now()
    phone.lastSeenAt = now
    if (quietUntil === undefined) endQuietTime(phone, now)
    else phone.quietUntil = Math.min(quietUntil, now + maxQuietTime)
    phone.isSaved = false
  }

  /**
   * Records a phone's report in the registry; it changes nothing if no phone is known by that name
   * or token.
   */
  recordReport(
    { account, holder }: Caller,
    introduction: PhoneIntroduction,
    kind: ReportKind,
  ): void {
    const { name } = introduction
    const named = name === undefined ? undefined : this.#registry.get(account.id, name)
    const phone = named ?? this.#byHolder.get(holder)
    if (phone === undefined) return
    phone[kind === 'success' ? 'lastSuccessAt' : 'lastFailureAt'] = this.#context.clock.now()
    phone.isSaved = false
  }

  /** Lists an account's phones by name. */
  list(account: Account): PhoneView[] {
    const phones = this.#registry.list(account.id).map(phone => this.#toView(phone))
    return phones.sort((a, b) => (a.name < b.name ? -1 : 1))
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

  /**
   * Saves changed phones, and deletes those that were not seen for 30 days. Throws `unavailable`.
   */
  async save(): Promise<void> {
    await this.#registry.save()
  }

  #getOrAdd(account: Account, { name, driver }: PhoneIntroduction): KnownPhone {
    const label = toPhoneLabel(name) ?? unknownPhone.name
    const phone = this.#registry.getOrAdd(account.id, label, this.#context.clock.now())
    phone.driver = toPhoneLabel(driver) ?? unknownPhone.driver
    return phone
  }

  #toView({ id, account, pendingNexts, isSaved, quietUntil, ...known }: KnownPhone): PhoneView {
    const now = this.#context.clock.now()
    const isAsking = pendingNexts > 0
    const phone = isAsking ? { ...known, lastNextAt: now, lastSeenAt: now } : known
    const quietEnd = isAsking && quietUntil !== undefined ? Math.min(quietUntil, now) : quietUntil
    return {
      ...phone,
      ...toQuietFields(quietEnd, now),
      silent: now - Math.max(phone.lastSeenAt, this.#openedAt) > silentAfter,
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

/** Ends a phone's quiet hours that would last longer. */
function endQuietTime(phone: KnownPhone, end: number): void {
  if (phone.quietUntil !== undefined) phone.quietUntil = Math.min(phone.quietUntil, end)
}

function toPhoneLabel(text: string | undefined): string | undefined {
  return text !== undefined && isPhoneLabel(text) ? text : undefined
}
