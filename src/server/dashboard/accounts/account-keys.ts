import type { Account } from '../../../domain/account/account.js'
import { hashText } from '../../../util/crypto/secrets.js'
import type { KeyKind, Keys } from '../../services/accounts/account-service.js'

/** A key of an account that can be replaced alone. */
export type KeyName = Exclude<KeyKind, 'all'>

export interface KeyDescription {
  readonly name: KeyName
  readonly label: string
  readonly use: string
  /** What happens if the key is replaced. */
  readonly consequence: string
}

/** The keys of an account, in the order of the page. */
export const keyDescriptions: readonly KeyDescription[] = [
  {
    name: 'secret',
    label: 'Secret key',
    use: 'The user name of programs and phones. They sign in with it and one of the next two keys.',
    consequence:
      'All programs and phones of the account stop until they have the new key. ' +
      'Their tokens end at once.',
  },
  {
    name: 'api',
    label: 'API key',
    use: 'The password of programs that send messages. It is stored as a hash and shown only once.',
    consequence: 'Programs stop until they have the new key. Their tokens end at once.',
  },
  {
    name: 'app',
    label: 'Application key',
    use: 'The password of phones.',
    consequence: 'Phones stop until they have the new key. Their tokens end at once.',
  },
  {
    name: 'hook',
    label: 'Signing secret',
    use: 'Signs webhooks.',
    consequence:
      'For 24 hours, webhooks are signed with both secrets. ' +
      'Give the new secret to the receivers in that time.',
  },
]

export function findKeyDescription(name: string): KeyDescription | undefined {
  return keyDescriptions.find(kind => kind.name === name)
}

/**
 * A hash that changes when the key is replaced. Forms carry it, so that a form that is sent twice
 * replaces the key once. It does not reveal the key.
 */
export function getKeyVersion(account: Account, name: KeyName): string {
  const { secretKey, apiKeyHash, appKey, hookSecret = '' } = account
  const stored = { secret: secretKey, api: apiKeyHash, app: appKey, hook: hookSecret }[name]
  return hashText(`${account.id} ${name} ${stored}`).slice(0, 22)
}

export function getKey(keys: Keys, name: KeyName): string {
  const { secretKey, apiKey, appKey, hookSecret } = keys
  return { secret: secretKey, api: apiKey, app: appKey, hook: hookSecret }[name] ?? ''
}
