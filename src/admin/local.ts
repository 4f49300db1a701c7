import type { AccountFields } from '../contract/account.js'
import type { BlocklistFields } from '../contract/blocklist.js'
import type { Account, BlockEntry } from '../domain/account.js'
import { formatDateTime } from '../domain/date-time.js'
import type { AccountService } from '../services/accounts.js'
import type { BlocklistService } from '../services/blocklist.js'
import type { Administration } from './administration.js'

/** The whole service's Do Not Text list; its numbers must be international, hence no country. */
const wholeService = { scope: '*', country: '' }

/** Administration by the process that holds the data directory. */
export function localAdministration(
  accounts: AccountService,
  blocklist: BlocklistService,
  close: () => Promise<void>,
): Administration {
  return {
    createAccount: async draft => {
      const { account, password, apiKey } = await accounts.create(draft)
      const { id, email, secretKey, appKey } = account
      return { id, email, password, secret_key: secretKey, api_key: apiKey, app_key: appKey }
    },
    listAccounts: async () => (await accounts.list()).map(accountFields),
    showAccount: async email => accountFields(await accounts.get(email)),
    changeAccount: async (email, changes) => accountFields(await accounts.change(email, changes)),
    rotateKeys: async (email, which) => {
      const { secretKey, apiKey, appKey, hookSecret } = await accounts.rotate(email, which)
      return {
        email,
        ...(secretKey === undefined ? {} : { secret_key: secretKey }),
        ...(apiKey === undefined ? {} : { api_key: apiKey }),
        ...(appKey === undefined ? {} : { app_key: appKey }),
        ...(hookSecret === undefined ? {} : { hook_secret: hookSecret }),
      }
    },
    setPassword: async (email, password) => ({
      email,
      password: await accounts.setPassword(email, password),
    }),
    deleteAccount: async email => ({ email: (await accounts.remove(email)).email }),
    listBlocked: async () => (await blocklist.list(wholeService)).map(blockFields),
    addBlocked: async number => blockFields(await blocklist.add(wholeService, number)),
    removeBlocked: async number => blockFields(await blocklist.remove(wholeService, number)),
    close,
  }
}

function accountFields(account: Account): AccountFields {
  const { id, email, secretKey, appKey, country, mode, createdAt } = account
  const created_on = formatDateTime(createdAt)
  return { id, email, secret_key: secretKey, app_key: appKey, country, mode, created_on }
}

function blockFields(entry: BlockEntry): BlocklistFields {
  return { number: entry.number, added_on: formatDateTime(entry.at), scope: 'service' }
}
