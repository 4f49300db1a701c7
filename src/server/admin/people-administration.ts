import { parseLimitChanges, toLimitFields } from '../../contract/account/account-limit-schema.js'
import { toReply } from '../../contract/schema/resource-schema.js'
import type { Account } from '../../domain/account/account.js'
import type { Person } from '../../domain/account/person.js'
import { RelayError } from '../../errors.js'
import { invitation, person as personResource } from '../../resources/person.js'
import type { AccountService } from '../services/accounts/account-service.js'
import type { AccountLimitService } from '../services/limits/account-limit-service.js'
import type { InvitationService } from '../services/people/invitation-service.js'
import { checkRole, type PersonService } from '../services/people/person-service.js'
import type {
  AccountLimitUse,
  Administration,
  InvitationDraft,
  PersonOfAccount,
} from './administration.js'

export interface PeopleServices {
  readonly accounts: AccountService
  readonly accountLimits: AccountLimitService
  readonly people: PersonService
  readonly invitations: InvitationService
  /** The address at which administration invites people; empty if it is not known. */
  readonly getBaseUrl: () => string
}

export type PeopleMethod =
  | 'showLimits'
  | 'changeLimits'
  | 'listPeople'
  | 'invitePerson'
  | 'setRole'
  | 'removePerson'

export function createPeopleMethods(services: PeopleServices): Pick<Administration, PeopleMethod> {
  const { accounts, accountLimits, people } = services
  const toUse = async (account: Account): Promise<AccountLimitUse> => ({
    email: account.email,
    ...toLimitFields(await accountLimits.read(account)),
  })
  return {
    showLimits: async email => await toUse(await accounts.get(email)),
    changeLimits: async (email, changes) => {
      const account = await accounts.get(email)
      return await toUse(await accountLimits.change(account, parseLimitChanges(changes)))
    },
    listPeople: async email => {
      const all = email === undefined ? await accounts.list() : [await accounts.get(email)]
      const lists = all.map(async account =>
        (await people.list(account)).map(person => toEntry(account, person)),
      )
      return (await Promise.all(lists)).flat()
    },
    invitePerson: async draft => await invite(services, draft),
    setRole: async (email, role) => {
      const { account, person } = await people.getByEmail(email)
      return toEntry(account, await people.setRole(account, person.id, checkRole(role)))
    },
    removePerson: async email => {
      const { account, person } = await people.getByEmail(email)
      return { email: (await people.remove(account, person.id)).email }
    },
  }
}

function toEntry({ email }: Account, person: Person): PersonOfAccount {
  return { account: email, ...toReply(personResource, person) }
}

async function invite(
  { accounts, invitations, getBaseUrl }: PeopleServices,
  { account: owner, email, role, url }: InvitationDraft,
): Promise<Awaited<ReturnType<Administration['invitePerson']>>> {
  const account = await accounts.get(owner)
  const base = (url ?? getBaseUrl()).replace(/\/+$/, '')
  if (!/^https?:\/\/./.test(base)) throw unknownAddressError()
  const created = await invitations.create(account, {
    ...{ email, role: checkRole(role) },
    formatLink: secret => `${base}/invitation/${secret}`,
  })
  const said = { url: created.link, mailed: created.isMailed ?? null }
  return { account: account.email, ...toReply(invitation, created.invitation), ...said }
}

function unknownAddressError(): RelayError {
  return new RelayError(
    'usage',
    'The address of the dashboard, which begins the link, is unknown.',
    {
      hint: 'Name it with --url, such as https://sms.example.com.',
    },
  )
}
