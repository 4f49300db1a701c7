import type { Account } from '../../../domain/account/account.js'
import { RelayError } from '../../../errors.js'
import { hashText } from '../../../util/crypto/secrets.js'
import type { AccountService } from '../../services/accounts/account-service.js'
import type { KeyKind, Keys } from '../../services/accounts/new-keys.js'
import { type ConfirmedAction, showNewSecret } from '../page/confirmed-action.js'

export type KeyName = Exclude<KeyKind, 'all'>

interface KeyDescription {
  readonly name: KeyName
  readonly label: string
  readonly use: string
  readonly consequence: string
}

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

export function toSentenceCase(label: string): string {
  return label.startsWith('API') ? label : label.charAt(0).toLowerCase() + label.slice(1)
}

export function createKeyReplacement(
  accounts: AccountService,
  account: Account,
  name: string,
  page: Pick<ConfirmedAction, 'parent' | 'current'>,
): ConfirmedAction {
  const key = keyDescriptions.find(each => each.name === name)
  if (key === undefined) throw new RelayError('not_found', 'There is no such key.')
  const { label, consequence } = key
  const replace = `Replace the ${toSentenceCase(label)}`
  return {
    ...page,
    title: `${replace} of ${account.email}`,
    label: replace,
    consequence,
    version: getKeyVersion(account, key.name),
    run: async () => {
      const keys = await accounts.rotateKeys(account.email, key.name)
      const value = getKey(keys, key.name)
      return showNewSecret({ id: `${key.name}-key`, label, value }, { ...page, consequence })
    },
  }
}

/** A hash that changes when the account's key is replaced. It does not reveal the key. */
function getKeyVersion(account: Account, name: KeyName): string {
  const { secretKey, apiKeyHash, appKey, hookSecret } = account
  const stored = { secret: secretKey, api: apiKeyHash, app: appKey, hook: hookSecret }[name]
  return hashText(`${account.id} ${name} ${stored}`).slice(0, 22)
}

function getKey(keys: Keys, name: KeyName): string {
  const { secretKey, apiKey, appKey, hookSecret } = keys
  return { secret: secretKey, api: apiKey, app: appKey, hook: hookSecret }[name] ?? ''
}
