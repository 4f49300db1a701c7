import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Account } from '../../../src/domain/account/account.js'
import type { Message } from '../../../src/domain/message/message.js'
import {
  defaultStartKeywords,
  defaultStopKeywords,
  toKeywords,
} from '../../../src/domain/phone/opt-out-keywords.js'
import { AccountService } from '../../../src/server/services/accounts/account-service.js'
import { TokenService } from '../../../src/server/services/accounts/token-service.js'
import { DoNotTextService } from '../../../src/server/services/messages/do-not-text-service.js'
import { MessageService } from '../../../src/server/services/messages/message-service.js'
import { ClaimService } from '../../../src/server/services/phones/claim-service.js'
import { PhoneService } from '../../../src/server/services/phones/phone-service.js'
import { ReceiptService } from '../../../src/server/services/phones/receipt-service.js'
import { ReceivedTextService } from '../../../src/server/services/phones/received-text-service.js'
import type { ServiceContext } from '../../../src/server/services/service-context.js'
import { SubscriptionService } from '../../../src/server/services/webhooks/subscription-service.js'
import { openLowdbStore } from '../../../src/server/store/lowdb/lowdb-store.js'
import type { Store } from '../../../src/server/store/store.js'
import { quickPasswords } from '../../quick-relay.js'
import { FakeClock } from '../../util/async/fake-clock.js'
import { createObservers } from '../observers.js'

export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute

const start = Date.UTC(2030, 0, 1)

export const lease = 120 * second
export const lifetime = 8 * hour

/** The services on a store in its own directory, with a clock that the test moves. */
export class World {
  store: Store
  messages!: MessageService
  claims!: ClaimService
  receipts!: ReceiptService
  tokens!: TokenService
  accounts!: AccountService
  doNotText!: DoNotTextService
  subscriptions!: SubscriptionService
  context!: ServiceContext
  readonly #directory: string
  readonly clock: FakeClock
  #ids = 0
  #isClosed = false

  private constructor(directory: string, store: Store, clock: FakeClock) {
    this.clock = clock
    this.#directory = directory
    this.store = store
    this.#compose()
  }

  static async open(): Promise<World> {
    const directory = await mkdtemp(join(tmpdir(), 'smsrelay-services-'))
    const clock = new FakeClock({ start })
    const world = new World(directory, await openLowdbStore(directory, clock), clock)
    onTestFinished(() => world.close())
    return world
  }

  /** Removes the store before the test ends. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.claims.stop()
    await this.store.close()
    await rm(this.#directory, { recursive: true })
  }

  get time(): number {
    return this.clock.now()
  }

  /** Closes the store and opens it again. */
  async restart(): Promise<void> {
    this.claims.stop()
    await this.store.close()
    this.store = await openLowdbStore(this.#directory, this.clock)
    this.#compose()
  }

  newId(): string {
    this.#ids += 1
    return `id-${String(this.#ids).padStart(6, '0')}`
  }

  /** Creates an account without a password. */
  async account(changes: Partial<Account> = {}): Promise<Account> {
    const id = this.newId()
    const account: Account = {
      id,
      email: `${id}@example.com`,
      passwordHash: 'none',
      secretKey: `secret-${id}`,
      appKey: `app-${id}`,
      apiKeyHash: 'none',
      country: 'US',
      mode: 'at-least-once',
      hookSecret: 'whsec_c2VjcmV0',
      createdAt: this.time,
      ownerSince: null,
      ...changes,
    }
    await this.store.accounts.create(account)
    return account
  }

  /** Creates a token of the application key, which can hold leases. */
  async phone(account: Account): Promise<string> {
    const id = this.newId()
    const expiresAt = this.time + 1000 * hour
    await this.store.tokens.put({ id, account: account.id, kind: 'app', expiresAt })
    return id
  }

  async create(
    account: Account,
    { to = '+12025550143', at }: { to?: string; at?: number } = {},
    key?: string,
  ): Promise<Message> {
    return await this.messages.accept(
      account,
      { destination: to, text: 'hello', sendAt: at },
      'api',
      key,
    )
  }

  /** The identifier of the message that a phone claims. */
  async next(account: Account, phone: string): Promise<string | undefined> {
    return (await this.claims.next(account, phone))?.id
  }

  async sent(account: Account, phone: string, id: string): Promise<Message> {
    return await this.claims.report(account, phone, { id, success: { parts: 1 } })
  }

  async failed(
    account: Account,
    phone: string,
    id: string,
    outcome: 'failed' | 'unknown' = 'failed',
  ): Promise<Message> {
    return await this.claims.report(account, phone, {
      id,
      failure: { error: 'no carrier', outcome },
    })
  }

  /** The message of any account. */
  async read(id: string): Promise<Message | undefined> {
    const { accounts, messages } = this.store
    const all = await accounts.list()
    const found = await Promise.all(all.map(account => messages.get(account.id, id)))
    return found.find(each => each !== undefined)
  }

  /** Moves the clock and fires its timers. */
  async advance(milliseconds: number): Promise<void> {
    this.clock.advance(milliseconds)
    await new Promise(resolve => setImmediate(resolve))
  }

  /** The service for received texts with the default keywords. */
  receiving(): ReceivedTextService {
    const keywords = toKeywords(defaultStopKeywords, defaultStartKeywords)
    return new ReceivedTextService(this.context, keywords)
  }

  /** Waits until earlier changes are durable. */
  async flush(): Promise<void> {
    for (let turn = 0; turn < 4; turn += 1) {
      const id = this.newId()
      await this.store.tokens.put({ id, account: 'nobody', kind: 'api', expiresAt: 0 })
    }
  }

  #compose(): void {
    this.context = {
      ...createObservers(),
      store: this.store,
      clock: this.clock,
      newId: () => this.newId(),
      passwordCost: quickPasswords,
    }
    this.messages = new MessageService(this.context)
    this.claims = new ClaimService(this.context, lease, new PhoneService(this.context))
    this.receipts = new ReceiptService(this.context)
    this.tokens = new TokenService(this.context, lifetime)
    this.accounts = new AccountService(this.context)
    this.doNotText = new DoNotTextService(this.context)
    this.subscriptions = new SubscriptionService(this.context)
  }
}

/** The error that a promise rejects with. */
export async function refusal(promise: Promise<unknown>): Promise<{ code?: string }> {
  return await promise.then(
    value => {
      throw new Error(`It did not reject: ${JSON.stringify(value)}`)
    },
    (error: { code?: string }) => error,
  )
}
