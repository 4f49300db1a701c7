import { skipTo } from '../../contract/api/list-page.js'
import { parseInput } from '../../contract/schema/parse.js'
import { getSchemas } from '../../contract/schema/resource-schema.js'
import { buildListKey } from '../../domain/list-key.js'
import { invitation, person } from '../../resources/person.js'
import { readFields } from '../http/request-body.js'
import { getParam, type RouteHandlers, setNoStore } from '../http/route.js'
import type { ServerContext } from '../http/server-context.js'
import { getSignerEmail } from '../services/accounts/signer.js'
import { checkRole } from '../services/people/person-service.js'
import { createResourceHandlers, toEntry } from './resource-routes.js'

export function createPeopleHandlers({
  people,
}: Pick<ServerContext, 'people'>): RouteHandlers<
  'listPeople' | 'editPerson' | 'removePerson' | 'resetSecondFactor'
> {
  return {
    ...createResourceHandlers(person, {
      getPage: async (account, { after }) => skipRead(await people.list(account), after),
      edit: async (account, id, { role = '' }) =>
        await people.setRole(account, id, checkRole(role)),
      remove: async (account, id) => await people.remove(account, id),
    }),
    resetSecondFactor: async ({ caller, request, base }) => {
      const { account, person: by } = caller
      const changed = await people.resetSecondFactor(account, getParam(request, 'id'), by)
      return JSON.stringify(toEntry(person, base, changed))
    },
  }
}

export function createInvitationHandlers({
  invitations,
}: Pick<ServerContext, 'invitations'>): RouteHandlers<
  'listInvitations' | 'createInvitation' | 'revokeInvitation'
> {
  return {
    ...createResourceHandlers(invitation, {
      getPage: async (account, { after }) => skipRead(await invitations.list(account), after),
      remove: async (account, id) => await invitations.revoke(account, id),
    }),
    createInvitation: async ({ caller, request, response, base }) => {
      const draft = parseInput(getSchemas(invitation).create, await readFields(request))
      const created = await invitations.create(caller.account, {
        ...{ ...draft, by: getSignerEmail(caller) },
        formatLink: secret => `${base}/invitation/${secret}`,
      })
      setNoStore(response)
      const said = { url: created.link, mailed: created.isMailed ?? null }
      return JSON.stringify(toEntry(invitation, base, created.invitation, said))
    },
  }
}

function skipRead<T extends { readonly createdAt: number; readonly id: string }>(
  all: readonly T[],
  after: string | undefined,
): T[] {
  return [...skipTo(all, after, ({ createdAt, id }) => buildListKey(createdAt, id))]
}
