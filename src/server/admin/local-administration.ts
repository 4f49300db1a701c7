import type { AccountFields } from '../../contract/account-schema.js'
import { blockFields } from '../../contract/blocklist-fields.js'
import { blocklistEntry } from '../../contract/do-not-text-schema.js'
import { importDrafts } from '../../contract/imported-entries.js'
import { parse } from '../../contract/schema/parse.js'
import type { Account } from '../../domain/account/account.js'
import { ownerOf } from '../../domain/account/account-owner.js'
import { formatDateTime } from '../../domain/time/date-time.js'
import type { AccountService } from '../services/accounts/account-service.js'
import type { BlocklistService } from '../services/messages/do-not-text-service.js'
import type { Administration } from './administration.js'

/** The whole service's Do Not Text list; its numbers must be international, hence no country. */
const wholeService = { scope: '*', country: '' }

/** Who lists numbers for the whole service: somebody who may read the data directory. */
const by = 'administration'

/** Administration by the process that holds the data directory. */
export function localAdministration(
  accounts: AccountService,
  blocklist: BlocklistService,
  close: () => Promise<void>,
): Administration {
  const fieldsOf = async (account: Account): Promise<AccountFields> =>
    accountFields(account, await accounts.isOwner(account))
  return {
    createAccount: async draft => {
      const { account, password, apiKey } = await accounts.create(draft)
      const { id, email, secretKey, appKey } = account
      return { id, email, password, secret_key: secretKey, api_key: apiKey, app_key: appKey }
    },
    listAccounts: async () => {
      const all = await accounts.list()
      const owner = ownerOf(all)
      return all.map(account => accountFields(account, account.id === owner?.id))
    },
    showAccount: async email => await fieldsOf(await accounts.get(email)),
    changeAccount: async (email, changes) => await fieldsOf(await accounts.change(email, changes)),
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
    addBlocked: async (given, options = {}) => {
      const { number, note } = parse(blocklistEntry, { number: given, note: options.note })
      const origin = { reason: 'person', by, note } as const
      return blockFields(await blocklist.add(wholeService, number, origin))
    },
    importBlocked: async (entries, { dryRun = false, skipInvalid = false } = {}) => {
      const how = { dryRun, skipInvalid }
      const drafts = importDrafts(entries)
      return await blocklist.addAll(wholeService, drafts, { reason: 'import', by }, how)
    },
    removeBlocked: async number => blockFields(await blocklist.remove(wholeService, number)),
    close,
  }
}

function accountFields(account: Account, owner: boolean): AccountFields {
  const { id, email, secretKey, appKey, country, mode, createdAt } = account
  const created_on = formatDateTime(createdAt)
  return { id, email, secret_key: secretKey, app_key: appKey, country, mode, created_on, owner }
}
