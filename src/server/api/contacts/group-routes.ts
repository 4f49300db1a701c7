import { buildAfterQuery, formatListPage, skipTo } from '../../../contract/api/list-page.js'
import { groupEdit, toGroupFields } from '../../../contract/contact/group-schema.js'
import { pageQuery } from '../../../contract/schema/list-page-schema.js'
import { parseInput } from '../../../contract/schema/parse.js'
import type { Account } from '../../../domain/account/account.js'
import type { ContactGroup } from '../../../domain/contact/contact.js'
import { buildListKey } from '../../../domain/list-key.js'
import { readFields } from '../../http/request-body.js'
import { createEntityTag, getPrecondition } from '../../http/request-headers.js'
import { parseQuery } from '../../http/request-query.js'
import { getParam, type RouteHandlers } from '../../http/route.js'
import type { ServerContext } from '../../http/server-context.js'

export function createGroupHandlers({
  groups,
}: Pick<ServerContext, 'groups'>): RouteHandlers<
  'listGroups' | 'createGroup' | 'getGroup' | 'renameGroup' | 'deleteGroup'
> {
  return {
    listGroups: async context => {
      const { account } = context.caller
      const { count, after } = parseQuery(pageQuery(), context.request)
      const found = await groups.list(account)
      const members = await groups.countMembers(account)
      found.sort((a, b) => (getKey(a) < getKey(b) ? -1 : 1))
      return formatListPage(context, {
        name: 'groups',
        items: skipTo(found, after, getKey),
        count,
        toReply: each => ({ group: toGroupFields(each, members.get(each.id) ?? 0) }),
        getNextQuery: ({ createdAt, id }) => buildAfterQuery(createdAt, id),
      })
    },
    createGroup: async ({ caller, request }) => {
      const { name } = parseInput(groupEdit, await readFields(request))
      const group = await groups.create(caller.account, name)
      return JSON.stringify({ group: toGroupFields(group, 0) })
    },
    getGroup: async ({ caller, request, response }) => {
      const group = await groups.get(caller.account, getParam(request, 'id'))
      response.setHeader('ETag', getGroupTag(group))
      return await formatGroup(groups, caller.account, group)
    },
    renameGroup: async ({ caller, request, response }) => {
      const id = getParam(request, 'id')
      const check = getPrecondition(request, getGroupTag)
      const { name } = parseInput(groupEdit, await readFields(request))
      const group = await groups.rename(caller.account, id, name, check)
      response.setHeader('ETag', getGroupTag(group))
      return await formatGroup(groups, caller.account, group)
    },
    deleteGroup: async ({ caller, request }) => {
      const id = getParam(request, 'id')
      await groups.remove(caller.account, id, getPrecondition(request, getGroupTag))
      return JSON.stringify({ group: { id } })
    },
  }
}

async function formatGroup(
  groups: ServerContext['groups'],
  account: Account,
  group: ContactGroup,
): Promise<string> {
  const members = await groups.countMembers(account)
  return JSON.stringify({ group: toGroupFields(group, members.get(group.id) ?? 0) })
}

function getGroupTag({ name }: ContactGroup): string {
  return createEntityTag(JSON.stringify([name]))
}

function getKey({ createdAt, id }: { readonly createdAt: number; readonly id: string }): string {
  return buildListKey(createdAt, id)
}
