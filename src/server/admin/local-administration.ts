import type { AccountFields, NewAccount } from '../../contract/account-schema.js'
import {
  doNotTextCreate,
  parseImportedEntries,
  toDoNotTextFields,
} from '../../contract/do-not-text-schema.js'
import { parseInput } from '../../contract/schema/parse.js'
import type { Account } from '../../domain/account/account.js'
import { findOwner } from '../../domain/account/account-owner.js'
import { formatDateTime } from '../../domain/time/date-time.js'
import type { AccountService, CreatedAccount } from '../services/accounts/account-service.js'
import type { AuditService } from '../services/audit/audit-service.js'
import type { DoNotTextService } from '../services/messages/do-not-text-service.js'
import type { Administration } from './administration.js'
import {
  createPeopleMethods,
  type PeopleMethod,
  type PeopleServices,
} from './people-administration.js'

type DoNotTextMethod = 'listDoNotText' | 'addDoNotText' | 'importDoNotText' | 'removeDoNotText'

/**
 * The relay's own Do Not Text list for administration; without a country its numbers must be
 * international.
 */
const relayScope = { scope: '*', country: '' }

const by = 'administration'
const origin = { actor: { kind: by } } as const

type Method = (...parameters: never[]) => Promise<unknown>

interface AdministrationServices extends PeopleServices {
  readonly doNotText: DoNotTextService
  readonly audit: AuditService
}

export function createLocalAdministration(
  services: AdministrationServices,
  close: () => Promise<void>,
): Administration {
  const methods = {
    ...createAccountMethods(services.accounts),
    ...createPeopleMethods(services),
    ...createDoNotTextMethods(services.doNotText),
  }
  const acting = Object.entries(methods).map(([name, method]) => [
    name,
    async (...parameters: never[]) =>
      await services.audit.actFor(origin, async () => await (method as Method)(...parameters)),
  ])
  return { ...(Object.fromEntries(acting) as typeof methods), close }
}

function createAccountMethods(
  accounts: AccountService,
): Omit<Administration, DoNotTextMethod | PeopleMethod | 'close'> {
  const toFields = async (account: Account): Promise<AccountFields> =>
    toAccountFields(account, await accounts.isOwner(account))
  return {
    createAccount: async draft => toNewAccount(await accounts.create(draft)),
    createFirstAccount: async draft => {
      const created = await accounts.createFirst(draft)
      return created && toNewAccount(created)
    },
    listAccounts: async () => {
      const all = await accounts.list()
      const owner = findOwner(all)
      return all.map(account => toAccountFields(account, account.id === owner?.id))
    },
    showAccount: async email => await toFields(await accounts.get(email)),
    changeAccount: async (email, changes) => await toFields(await accounts.change(email, changes)),
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
    resetSecondFactor: async email => ({ email: await accounts.resetSecondFactor(email) }),
    deleteAccount: async email => ({ email: (await accounts.remove(email)).email }),
  }
}

function createDoNotTextMethods(
  doNotText: DoNotTextService,
): Pick<Administration, DoNotTextMethod> {
  return {
    listDoNotText: async () => (await doNotText.list(relayScope)).map(toDoNotTextFields),
    addDoNotText: async (given, options = {}) => {
      const { number, note } = parseInput(doNotTextCreate, { number: given, note: options.note })
      const origin = { reason: 'person', by, note } as const
      return toDoNotTextFields(await doNotText.add(relayScope, number, origin))
    },
    importDoNotText: async (entries, { dryRun = false, skipInvalid = false } = {}) => {
      const drafts = parseImportedEntries(entries)
      const origin = { reason: 'import', by } as const
      return await doNotText.addAll(relayScope, drafts, origin, { dryRun, skipInvalid })
    },
    removeDoNotText: async number => toDoNotTextFields(await doNotText.remove(relayScope, number)),
  }
}

function toNewAccount({ account, password, apiKey }: CreatedAccount): NewAccount {
  const { id, email, secretKey, appKey } = account
  return { id, email, password, secret_key: secretKey, api_key: apiKey, app_key: appKey }
}

function toAccountFields(account: Account, owner: boolean): AccountFields {
  const { id, email, secretKey, appKey, country, mode, createdAt } = account
  const { timeZone, helpText, stopText, alerts, fewerParts, receivedMail } = account
  const created_on = formatDateTime(createdAt)
  return {
    ...{ id, email, secret_key: secretKey, app_key: appKey, country, mode },
    ...(timeZone === undefined ? {} : { time_zone: timeZone }),
    ...(helpText === undefined ? {} : { help_text: helpText }),
    ...(stopText === undefined ? {} : { stop_text: stopText }),
    ...(alerts === undefined ? {} : { alerts }),
    ...(fewerParts === undefined ? {} : { fewer_parts: fewerParts }),
    ...(receivedMail === undefined ? {} : { received_mail: receivedMail }),
    ...{ created_on, owner },
  }
}
