import { buildAfterQuery, formatListPage } from '../../contract/api/list-page.js'
import {
  type AllOperationIds,
  getOperationId,
  type OperationId,
} from '../../contract/api/resource-operations.js'
import { pageQuery } from '../../contract/schema/list-page-schema.js'
import { parseInput } from '../../contract/schema/parse.js'
import { getSchemas, toReply } from '../../contract/schema/resource-schema.js'
import type { Account } from '../../domain/account/account.js'
import {
  type EntryOf,
  hasOnce,
  type Listed,
  listValues,
  type RecordOf,
  type Resource,
  type Verb,
} from '../../resources/resource.js'
import { resourceNames, resources } from '../../resources/resources.js'
import { readFields } from '../http/request-body.js'
import { createEntityTag, getPrecondition } from '../http/request-headers.js'
import { parseQuery } from '../http/request-query.js'
import {
  getParam,
  type RequestContext,
  type RouteHandler,
  type RouteHandlers,
  setNoStore,
} from '../http/route.js'
import type {
  Created,
  Describe,
  ResourceService,
  ResourceServices,
} from '../services/resource-service.js'

export function createAllResourceHandlers(
  services: ResourceServices,
): RouteHandlers<AllOperationIds> {
  const all = resourceNames.map(name =>
    createResourceHandlers<Resource>(resources[name], services[resources[name].plural] as never),
  )
  return Object.assign({}, ...all)
}

/** What the operations of a resource call; a method that no operation calls may be missing. */
export type ResourceSource<R extends Listed> = Partial<
  Pick<ResourceService<R>, 'describe' | 'getPage' | 'get' | 'create' | 'edit' | 'remove'>
>

/** The handlers of the operations that a resource has. */
export function createResourceHandlers<R extends Listed>(
  resource: R,
  source: ResourceSource<R>,
): RouteHandlers<OperationId<R>> {
  const { name, plural, operations } = resource
  const service = source as ResourceService<R>
  const schemas = getSchemas(resource)
  const isTagged = operations.includes('get')
  const getTag = (record: RecordOf<R>) =>
    createEntityTag(JSON.stringify(listValues(resource, record)))
  const format = (describe: Describe<R>, base: string, created: Created<R>) =>
    toEntry(resource, base, created.record, describe(created))
  const answer = async ({ caller, response, base }: RequestContext, created: Created<R>) => {
    const describe = await getDescribe(caller.account)
    if (isTagged) response.setHeader('ETag', getTag(created.record))
    return JSON.stringify(format(describe, base, created))
  }
  const getDescribe = async (account: Account): Promise<Describe<R>> =>
    (await source.describe?.(account)) ?? (() => ({}))
  const check = ({ request }: RequestContext) =>
    isTagged ? getPrecondition(request, getTag) : undefined
  const all: Readonly<Record<Verb, RouteHandler>> = {
    list: async context => {
      const { caller, request, base } = context
      const { count, after } = parseQuery(pageQuery(), request)
      const items = await service.getPage(caller.account, { count: count + 1, after })
      const describe = await getDescribe(caller.account)
      return formatListPage(context, {
        ...{ name: plural, items, count },
        toReply: record => format(describe, base, { record }),
        getNextQuery: ({ createdAt, id }) => buildAfterQuery(createdAt, id),
      })
    },
    create: async context => {
      const draft = parseInput(schemas.create, await readFields(context.request))
      const created = await service.create(context.caller.account, draft)
      if (hasOnce(resource)) setNoStore(context.response)
      const describe = await getDescribe(context.caller.account)
      return JSON.stringify(format(describe, context.base, created))
    },
    get: async context => {
      const id = getParam(context.request, 'id')
      return await answer(context, { record: await service.get(context.caller.account, id) })
    },
    edit: async context => {
      const { caller, request } = context
      const precondition = check(context)
      const changes = parseInput(schemas.edit, await readFields(request))
      const id = getParam(request, 'id')
      return await answer(context, {
        record: await service.edit(caller.account, id, changes, precondition),
      })
    },
    delete: async context => {
      const id = getParam(context.request, 'id')
      await service.remove(context.caller.account, id, check(context))
      return JSON.stringify({ [name]: { id } })
    },
  }
  return Object.fromEntries(
    operations.map(verb => [getOperationId(resource, verb), all[verb]]),
  ) as unknown as RouteHandlers<OperationId<R>>
}

/** A record in a reply, with its links. */
export function toEntry<R extends Listed>(
  resource: R,
  base: string,
  record: RecordOf<R>,
  said?: Readonly<Record<string, unknown>>,
): EntryOf<R> {
  const { name, operations, hasLinks } = resource
  const all = `${base}/api/1/${name}`
  const one = `${all}/${record.id}`
  const links = {
    list: { method: 'GET', url: all },
    ...(operations.includes('create') && { new: { method: 'POST', url: all } }),
    ...(operations.includes('edit') && { edit: { method: 'PATCH', url: one } }),
    delete: { method: 'DELETE', url: one },
  }
  return { [name]: toReply(resource, record, said), ...(hasLinks && { links }) } as EntryOf<R>
}
