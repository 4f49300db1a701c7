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

/** What a phone says of itself; what is not 1 to 64 printable characters of ASCII counts as not said. */
export interface PhoneIntroduction {
  readonly name?: string | undefined
  readonly driver?: string | undefined
}

/** What a phone says that is there and does not ask. */
export interface PhonePresence extends PhoneIntroduction {
  /** Until when it is at rest, in milliseconds since the epoch; absent when it is not. */
  readonly quietUntil?: number | undefined
}

/** What a phone reported. */
export type ReportKind = 'success' | 'failure'

/** A phone as it is shown; times in milliseconds since the epoch. */
export interface PhoneView extends Omit<PhoneRecord, 'id' | 'account'> {
  readonly lastSeenAt: number
  /** Until when it is at rest; absent when it is not. */
  readonly quietUntil?: number
  /** When its last rest ended; absent while it is at rest. */
  readonly lastQuietAt?: number
  /** Whether it gave no sign of life for five minutes in which the service ran. */
  readonly silent: boolean
}

/** Tokens of which it is remembered which phone has them, about. */
const maxRememberedHolders = 10_000

/**
 * Knows the phones of each account by the signs of life they give (README: phones). Always current in memory; on the
 * disk as often as {@link save} is called.
 */
export class PhoneService {
  readonly #context: ServiceContext
  readonly #book: PhoneRegistry
  readonly #byHolder = new LruMap<string, KnownPhone>(maxRememberedHolders, () => 1)
  #openedAt: number

  constructor(context: ServiceContext) {
    this.#context = context
    this.#book = new PhoneRegistry(context)
    this.#openedAt = context.now()
  }

  /** Reads the phones that were known before. */
  async open(): Promise<void> {
    this.#openedAt = this.#context.now()
    await this.#book.open()
  }

  /** A phone asks for a message; it is alive at least until the returned function is called. */
  trackNext({ account, holder, kind }: Caller, said: PhoneIntroduction): () => void {
    if (kind !== 'app') return () => {}
    const phone = this.#meet(account, said)
    this.#byHolder.set(holder, phone)
    phone.pendingNexts += 1
    const asked = () => {
      const now = this.#context.now()
      phone.firstNextAt ??= now
      phone.lastNextAt = now
      phone.lastSeenAt = now
      endQuietTime(phone, now)
      phone.isSaved = false
    }
    asked()
    return () => {
      phone.pendingNexts -= 1
      asked()
    }
  }

  /**
   * A phone that does not ask says that it is there, and until when it is at rest, which is over with its next NEXT; one
   * that says neither its name nor a time changes nothing.
   */
  recordPresence({ account, kind }: Caller, said: PhonePresence): void {
    const { name, quietUntil } = said
    if (kind !== 'app' || (toPhoneLabel(name) ?? quietUntil) === undefined) return
    const phone = this.#meet(account, said)
    const now = this.#context.now()
    phone.lastSeenAt = now
    if (quietUntil === undefined) endQuietTime(phone, now)
    else phone.quietUntil = Math.min(quietUntil, now + maxQuietTime)
    phone.isSaved = false
  }

  /** A token has reported; one that is no phone's, as far as is known, changes nothing. */
  recordReport({ account, holder }: Caller, said: PhoneIntroduction, kind: ReportKind): void {
    const named = said.name === undefined ? undefined : this.#book.get(account.id, said.name)
    const phone = named ?? this.#byHolder.get(holder)
    if (phone === undefined) return
    phone[kind === 'success' ? 'lastSuccessAt' : 'lastFailureAt'] = this.#context.now()
    phone.isSaved = false
  }

  /** An account's phones by name. */
  list(account: Account): PhoneView[] {
    const phones = this.#book.list(account.id).map(phone => this.#view(phone))
    return phones.sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** Forgets a phone and resolves to what was known of it; one that asks again is known again. Throws `not_found`. */
  async forget(account: Account, name: string): Promise<PhoneView> {
    const phone = await this.#book.forget(account.id, name)
    if (phone !== undefined) return this.#view(phone)
    throw new RelayError(
      'not_found',
      `There is no phone ${name}; list the phones to see their names.`,
    )
  }

  /** Writes what changed since the last time, and forgets who was not seen for 30 days. Throws `unavailable`. */
  async save(): Promise<void> {
    await this.#book.save()
  }

  #meet(account: Account, { name, driver }: PhoneIntroduction): KnownPhone {
    const known = toPhoneLabel(name) ?? unknownPhone.name
    const phone = this.#book.getOrAdd(account.id, known, this.#context.now())
    phone.driver = toPhoneLabel(driver) ?? unknownPhone.driver
    return phone
  }

  #view({
    id,
    account,
    pendingNexts: asking,
    isSaved,
    quietUntil,
    ...known
  }: KnownPhone): PhoneView {
    const now = this.#context.now()
    const times = asking > 0 ? { lastNextAt: now, lastSeenAt: now } : {}
    const rest = asking > 0 && quietUntil !== undefined ? Math.min(quietUntil, now) : quietUntil
    const phone = { ...known, ...times }
    return {
      ...phone,
      ...(rest === undefined ? {} : rest > now ? { quietUntil: rest } : { lastQuietAt: rest }),
      silent: now - Math.max(phone.lastSeenAt, this.#openedAt) > silentAfter,
    }
  }
}

/** Ends a rest that would last longer. */
function endQuietTime(phone: KnownPhone, end: number): void {
  if (phone.quietUntil !== undefined) phone.quietUntil = Math.min(phone.quietUntil, end)
}

function toPhoneLabel(text: string | undefined): string | undefined {
  return text !== undefined && isPhoneLabel(text) ? text : undefined
}
