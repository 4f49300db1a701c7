// The operations of the API about accounts.
// - people-routes: the people of the account and its invitations
// - limit-routes: the limits of the account, and for the owner those of all accounts
// Roles are checked before a handler runs, by the role of the operation; that the account is the
// owner is checked here.
import {
  type InvitationFields,
  type InvitationReply,
  invitationCreate,
  type PersonReply,
  personEdit,
  toInvitationFields,
  toPersonFields,
} from '../../../contract/account/person-schema.js'
import { buildAfterQuery, formatListPage, skipTo } from '../../../contract/api/list-page.js'
import type { Links } from '../../../contract/schema/link-schema.js'
import { pageQuery } from '../../../contract/schema/list-page-schema.js'
import { parseInput } from '../../../contract/schema/parse.js'
import type { Person } from '../../../domain/account/person.js'
import { buildListKey } from '../../../domain/list-key.js'
import { readFields } from '../../http/request-body.js'
import { parseQuery } from '../../http/request-query.js'
import { getParam, type RouteHandlers, setNoStore } from '../../http/route.js'
import type { ServerContext } from '../../http/server-context.js'
import { getSignerEmail } from '../../services/accounts/signer.js'

export function createPeopleHandlers({
  people,
}: Pick<ServerContext, 'people'>): RouteHandlers<
  'listPeople' | 'editPerson' | 'removePerson' | 'resetSecondFactor'
> {
  return {
    listPeople: async context => {
      const { count, after } = parseQuery(pageQuery(), context.request)
      const found = await people.list(context.caller.account)
      return formatListPage(context, {
        name: 'people',
        items: skipTo(found, after, each => buildListKey(each.createdAt, each.id)),
        count,
        toReply: person => toPersonReply(person, context.base),
        getNextQuery: ({ createdAt, id }) => buildAfterQuery(createdAt, id),
      })
    },
    editPerson: async ({ caller, request, base }) => {
      const { role } = parseInput(personEdit, await readFields(request))
      const person = await people.setRole(caller.account, getParam(request, 'id'), role)
      return JSON.stringify(toPersonReply(person, base))
    },
    removePerson: async ({ caller, request }) => {
      const { id } = await people.remove(caller.account, getParam(request, 'id'))
      return JSON.stringify({ person: { id } })
    },
    resetSecondFactor: async ({ caller, request, base }) => {
      const { account, person: by } = caller
      const person = await people.resetSecondFactor(account, getParam(request, 'id'), by)
      return JSON.stringify(toPersonReply(person, base))
    },
  }
}

export function createInvitationHandlers({
  invitations,
}: Pick<ServerContext, 'invitations'>): RouteHandlers<
  'listInvitations' | 'createInvitation' | 'revokeInvitation'
> {
  return {
    listInvitations: async context => {
      const { count, after } = parseQuery(pageQuery(), context.request)
      const found = await invitations.list(context.caller.account)
      return formatListPage(context, {
        name: 'invitations',
        items: skipTo(found, after, each => buildListKey(each.createdAt, each.id)),
        count,
        toReply: each => withLinks(toInvitationFields(each), context.base),
        getNextQuery: ({ createdAt, id }) => buildAfterQuery(createdAt, id),
      })
    },
    createInvitation: async ({ caller, request, response, base }) => {
      const { email, role } = parseInput(invitationCreate, await readFields(request))
      const created = await invitations.create(caller.account, {
        ...{ email, role, by: getSignerEmail(caller) },
        formatLink: secret => `${base}/invitation/${secret}`,
      })
      setNoStore(response)
      const { link: url, isMailed: mailed = null } = created
      const { invitation, links } = withLinks(toInvitationFields(created.invitation), base)
      const reply: InvitationReply = { invitation: { ...invitation, url, mailed }, links }
      return JSON.stringify(reply)
    },
    revokeInvitation: async ({ caller, request }) => {
      const { id } = await invitations.revoke(caller.account, getParam(request, 'id'))
      return JSON.stringify({ invitation: { id } })
    },
  }
}

function toPersonReply(person: Person, base: string): PersonReply {
  const all = `${base}/api/1/person`
  const url = `${all}/${person.id}`
  return {
    person: toPersonFields(person),
    links: {
      list: { method: 'GET', url: all },
      edit: { method: 'PATCH', url },
      delete: { method: 'DELETE', url },
    },
  }
}

function withLinks(
  invitation: InvitationFields,
  base: string,
): { readonly invitation: InvitationFields; readonly links: Links } {
  const all = `${base}/api/1/invitation`
  return {
    invitation,
    links: {
      list: { method: 'GET', url: all },
      new: { method: 'POST', url: all },
      delete: { method: 'DELETE', url: `${all}/${invitation.id}` },
    },
  }
}
