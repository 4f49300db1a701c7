import type { AccountFields } from '../../contract/account-schema.js'
import {
  doNotTextCreate,
  parseImportedEntries,
  toDoNotTextFields,
} from '../../contract/do-not-text-schema.js'
import { parseInput } from '../../contract/schema/parse.js'
import type { Account } from '../../domain/account/account.js'
import { findOwner } from '../../domain/account/account-owner.js'
import { formatDateTime } from '../../domain/time/date-time.js'
import type { AccountService } from '../services/accounts/account-service.js'
import type { DoNotTextService } from '../services/messages/do-not-text-service.js'
import type { Administration } from './administration.js'

/** The whole service's Do Not Text list; its numbers must be international, hence no country. */
const wholeService = { scope: '*', country: '' }

/** Who lists numbers for the whole service: somebody who may read the data directory. */
const by = 'administration'

/** Administration by the process that holds the data directory. */
export function createLocalAdministration(
  accounts: AccountService,
  blocklist: DoNotTextService,
  close: () => Promise<void>,
): Administration {
  const fieldsOf = async (account: Account): Promise<AccountFields> =>
    toAccountFields(account, await accounts.isOwner(account))
  return {
    createAccount: async draft => {
      const { account, password, apiKey } = await accounts.create(draft)
      const { id, email, secretKey, appKey } = account
      return { id, email, password, secret_key: secretKey, api_key: apiKey, app_key: appKey }
    },
    listAccounts: async () => {
      const all = await accounts.list()
      const owner = findOwner(all)
      return all.map(account => toAccountFields(account, account.id === owner?.id))
    },
    showAccount: async email => await fieldsOf(await accounts.get(email)),
    changeAccount: async (email, changes) => await fieldsOf(await accounts.change(email, changes)),
    rotateKeys: async (email, which) => {
      const { secretKey, apiKey, appKey, hookSecret } = await accounts.rotateKeys(email, which)
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
    listBlocked: async () => (await blocklist.list(wholeService)).map(toDoNotTextFields),
    addBlocked: async (given, options = {}) => {
      const { number, note } = parseInput(doNotTextCreate, { number: given, note: options.note })
      const origin = { reason: 'person', by, note } as const
      return toDoNotTextFields(await blocklist.add(wholeService, number, origin))
    },
    importBlocked: async (entries, { dryRun = false, skipInvalid = false } = {}) => {
      const how = { dryRun, skipInvalid }
      const drafts = parseImportedEntries(entries)
      return await blocklist.addAll(wholeService, drafts, { reason: 'import', by }, how)
    },
    removeBlocked: async number => toDoNotTextFields(await blocklist.remove(wholeService, number)),
    close,
  }
}

function toAccountFields(account: Account, owner: boolean): AccountFields {
  const { id, email, secretKey, appKey, country, mode, createdAt } = account
  const created_on = formatDateTime(createdAt)
  return { id, email, secret_key: secretKey, app_key: appKey, country, mode, created_on, owner }
}
