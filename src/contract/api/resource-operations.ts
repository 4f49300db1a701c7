import type * as z from 'zod/mini'
import { capitalize, listInputs, type Resource, type Verb } from '../../resources/resource.js'
import { allResources, type ResourceName, type resources } from '../../resources/resources.js'
import { pageQuery } from '../schema/list-page-schema.js'
import { getArticle, getSchemas } from '../schema/resource-schema.js'
import { type Details, define, type Operation } from './define-operation.js'

type OperationIds<R extends Resource> = {
  readonly list: `list${Capitalize<R['plural']>}`
  readonly create: `create${Capitalize<R['name']>}`
  readonly get: `get${Capitalize<R['name']>}`
  readonly edit: `edit${Capitalize<R['name']>}`
  readonly delete: `delete${Capitalize<R['name']>}`
}

export type OperationId<R extends Resource> = OperationIds<R>[R['operations'][number]]

export function getOperationId({ name, plural }: Resource, verb: Verb): string {
  return verb + capitalize(verb === 'list' ? plural : name)
}

type Distribute<R> = R extends Resource ? OperationId<R> : never
export type AllOperationIds = Distribute<(typeof resources)[ResourceName]>

/** The operations of all resources for the route table. */
export const resourceOperations = Object.assign(
  {},
  ...allResources.map(createOperations),
) as Readonly<Record<AllOperationIds, Operation>>

/** The operations of a resource for the route table. */
function createOperations<R extends Resource>(
  resource: R,
): Readonly<Record<OperationId<R>, Operation>> {
  const { name, role, section, notes, summaries, operations } = resource
  const { create, edit, id, list, reply } = getSchemas<Resource>(resource)
  const one = `${getArticle(resource).toLowerCase()} ${name}`
  const missing = { not_found: `The account has no such ${name}.` }
  const isTagged = operations.includes('get')
  const tagged = isTagged ? { headers: ['If-Match'] as const } : {}
  const change = resource.fields.name && listInputs(resource).length === 1
  const every: Record<Verb, () => Operation> = {
    list: () =>
      defineOne('GET', list, {
        ...(resource.readRole && { role: resource.readRole }),
        ...{ summary: `List ${resource.plural}`, query: pageQuery() },
      }),
    create: () =>
      defineOne('POST', reply, {
        ...{ role, summary: `Create ${one}`, request: create },
        errors: { invalid_state: `The account has as many ${resource.plural} as it may have.` },
      }),
    get: () => defineOne('GET', reply, { summary: `Get ${one}`, isTagged, errors: missing }, true),
    edit: () =>
      defineOne(
        'PATCH',
        reply,
        {
          ...{ role, ...tagged, isTagged, request: edit, errors: missing },
          summary: `Change ${one}`,
          ...(change ? {} : { description: 'At least one field is required.' }),
        },
        true,
      ),
    delete: () =>
      defineOne('DELETE', id, { role, ...tagged, summary: `Delete ${one}`, errors: missing }, true),
  }
  function defineOne(
    method: string,
    schema: z.ZodMiniType,
    details: Omit<Details, 'section'>,
    hasId = false,
  ): Operation {
    return define(`${method} /${name}${hasId ? '/:id' : ''}`, 'full', schema, {
      section,
      ...details,
    })
  }
  return Object.fromEntries(
    operations.map(verb => {
      const operation = every[verb]()
      const summary = summaries?.[verb] ?? operation.summary
      const description = notes?.[verb] ?? operation.description
      return [getOperationId(resource, verb), { ...operation, summary, description }]
    }),
  ) as Record<OperationId<R>, Operation>
}
