import type { Account } from '../../../domain/account/account.js'
import { hashText } from '../../../util/crypto/secrets.js'
import type { Keys } from '../../services/accounts/account-service.js'

/** A key of an account that can be replaced by itself. */
export type KeyName = 'secret' | 'api' | 'app' | 'hook'

/** A key for people. */
export interface KeyKind {
  readonly name: KeyName
  readonly label: string
  readonly use: string
  /** What ends when it is replaced. */
  readonly consequence: string
}

/** The keys of an account, in the order they are shown. */
export const keyKinds: readonly KeyKind[] = [
  {
    name: 'secret',
    label: 'Secret key',
    use: 'Names the account, together with one of the next two.',
    consequence:
      'Every program and phone of the account stops until it is given the new one: their tokens end at once.',
  },
  {
    name: 'api',
    label: 'API key',
    use: 'For programs that send messages. It is kept as a hash, and shown only when it is made.',
    consequence:
      'Programs that use it stop until they are given the new one: their tokens end at once.',
  },
  {
    name: 'app',
    label: 'Application key',
    use: 'For phones.',
    consequence: 'Phones stop until they are given the new one: their tokens end at once.',
  },
  {
    name: 'hook',
    label: 'Hook secret',
    use: 'Signs the hits of subscriptions.',
    consequence:
      'Hits are signed with both for 24 hours, which is the time to tell the receivers the new one.',
  },
]

/** The key of that name. */
export function findKeyKind(name: string): KeyKind | undefined {
  return keyKinds.find(kind => kind.name === name)
}

/** A mark of a key as it is; a form that was sent twice is known by it. Tells nothing about the key. */
export function getKeyVersion(account: Account, name: KeyName): string {
  const { secretKey, apiKeyHash, appKey, hookSecret = '' } = account
  const kept = { secret: secretKey, api: apiKeyHash, app: appKey, hook: hookSecret }[name]
  return hashText(`${account.id} ${name} ${kept}`).slice(0, 22)
}

/** The key of that name among new ones. */
export function getKey(keys: Keys, name: KeyName): string {
  const { secretKey, apiKey, appKey, hookSecret } = keys
  return { secret: secretKey, api: apiKey, app: appKey, hook: hookSecret }[name] ?? ''
}
