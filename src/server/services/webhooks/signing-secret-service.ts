import type { Account } from '../../../domain/account/account.js'
import {
  getSubscriptionSecrets,
  removeSecret,
  replaceSecret,
} from '../../../domain/webhook/signing-secret.js'
import type { Subscription } from '../../../domain/webhook/subscription.js'
import { createSigningSecret } from '../../../util/crypto/secrets.js'
import type { AccountStore } from '../../store/account-store.js'
import { accountRemovedError } from '../create-account-record.js'
import type { ServiceContext } from '../service-context.js'
import type { SubscriptionService } from './subscription-service.js'

export interface SigningSecretStore {
  readonly accounts: Pick<AccountStore, 'get'>
}

/**
 * For the services: the secrets that sign a subscription's webhooks now, newest first; empty if its
 * account does not exist. Throws `unavailable`.
 */
export async function getSigningSecrets(
  store: SigningSecretStore,
  subscription: Pick<Subscription, 'account' | 'hookSecret' | 'formerHookSecrets'>,
  now: number,
): Promise<readonly string[]> {
  const account = await store.accounts.get(subscription.account)
  return account === undefined ? [] : getSubscriptionSecrets(subscription, account, now)
}

export interface SubscriptionSecret {
  readonly secret: string
  /** Whether the subscription has its own secret; otherwise the service returns its account's. */
  readonly own: boolean
}

export class SigningSecretService {
  readonly #context: ServiceContext
  readonly #subscriptions: Pick<SubscriptionService, 'get' | 'change'>

  constructor(context: ServiceContext, subscriptions: Pick<SubscriptionService, 'get' | 'change'>) {
    this.#context = context
    this.#subscriptions = subscriptions
  }

  async get({ id }: Account): Promise<string> {
    return requireSigningSecret(await this.#context.store.accounts.get(id))
  }

  /**
   * Replaces the account's signing secret and resolves to the new one; the old one still signs for
   * a day. Throws `unavailable`.
   */
  async rotate({ id }: Account): Promise<string> {
    const { store, clock } = this.#context
    const changed = await store.accounts.change(id, account =>
      replaceSecret(account, createSigningSecret(), clock.now()),
    )
    return requireSigningSecret(changed)
  }

  async getForSubscription(account: Account, id: string): Promise<SubscriptionSecret> {
    const { hookSecret } = await this.#subscriptions.get(account, id)
    return hookSecret === undefined
      ? { secret: await this.get(account), own: false }
      : { secret: hookSecret, own: true }
  }

  /**
   * Gives a subscription its own signing secret, or replaces it; the secret before, also that of
   * the account, still signs for a day. Throws `not_a_subscription`.
   */
  async rotateForSubscription(account: Account, id: string): Promise<SubscriptionSecret> {
    const shared = await this.get(account)
    const secret = createSigningSecret()
    const now = this.#context.clock.now()
    await this.#subscriptions.change(account, id, current =>
      replaceSecret({ ...current, hookSecret: current.hookSecret ?? shared }, secret, now),
    )
    return { secret, own: true }
  }

  async removeForSubscription(account: Account, id: string): Promise<SubscriptionSecret> {
    const now = this.#context.clock.now()
    await this.#subscriptions.change(account, id, current =>
      current.hookSecret === undefined ? current : removeSecret(current, now),
    )
    return { secret: await this.get(account), own: false }
  }
}

/** The account can be removed after the request for its signing secret was authenticated. */
function requireSigningSecret(account: Account | undefined): string {
  if (account !== undefined) return account.hookSecret
  throw accountRemovedError()
}
