import { buildAfterQuery, formatListPage } from '../../contract/api/list-page.js'
import {
  type AllOperationIds,
  getOperationId,
  type OperationId,
} from '../../contract/api/resource-operations.js'
import { pageQuery } from '../../contract/schema/list-page-schema.js'
import { parseInput } from '../../contract/schema/parse.js'
import { getSchemas, toReply } from '../../contract/schema/resource-schema.js'
import { listValues, type RecordOf, type Resource } from '../../resources/resource.js'
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

/** The handlers of the operations that a resource has. */
function createResourceHandlers<R extends Resource>(
  resource: R,
  service: ResourceService<R>,
): RouteHandlers<OperationId<R>> {
  const { name, plural, operations } = resource
  const schemas = getSchemas(resource)
  const isTagged = operations.includes('edit')
  const hasKey = Object.values(resource.fields).some(({ kind }) => kind === 'key')
  const getTag = (record: RecordOf<R>) =>
    createEntityTag(JSON.stringify(listValues(resource, record)))
  const format = (describe: Describe<R>, base: string, created: Created<R>) => ({
    [name]: toReply(resource, created.record, describe(created)),
    ...(hasKey && { links: createLinks(resource, base, created.record.id) }),
  })
  const answer = async ({ caller, response, base }: RequestContext, created: Created<R>) => {
    const describe = await service.describe(caller.account)
    if (isTagged) response.setHeader('ETag', getTag(created.record))
    return JSON.stringify(format(describe, base, created))
  }
  const check = ({ request }: RequestContext) =>
    isTagged ? getPrecondition(request, getTag) : undefined
  const all: Readonly<Record<Resource['operations'][number], RouteHandler>> = {
    list: async context => {
      const { caller, request, base } = context
      const { count, after } = parseQuery(pageQuery(), request)
      const items = await service.getPage(caller.account, { count: count + 1, after })
      const describe = await service.describe(caller.account)
      return formatListPage(context, {
        ...{ name: plural, items, count },
        toReply: record => format(describe, base, { record }),
        getNextQuery: ({ createdAt, id }) => buildAfterQuery(createdAt, id),
      })
    },
    create: async context => {
      const draft = parseInput(schemas.create, await readFields(context.request))
      const created = await service.create(context.caller.account, draft)
      if (hasKey) setNoStore(context.response)
      const describe = await service.describe(context.caller.account)
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

function createLinks({ name }: Resource, base: string, id: string) {
  const all = `${base}/api/1/${name}`
  return {
    list: { method: 'GET', url: all },
    new: { method: 'POST', url: all },
    delete: { method: 'DELETE', url: `${all}/${id}` },
  }
}
