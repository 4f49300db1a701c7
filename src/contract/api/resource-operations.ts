import type * as z from 'zod/mini'
import { capitalize, type Listed, listInputs, type Verb } from '../../resources/resource.js'
import { allResources, type ResourceName, type resources } from '../../resources/resources.js'
import { pageQuery } from '../schema/list-page-schema.js'
import { getArticle, getSchemas } from '../schema/resource-schema.js'
import { type Details, define, type Operation } from './define-operation.js'

type Removal<R> = R extends { readonly removal: infer W extends string } ? W : 'delete'
type Word<R, V> = V extends 'delete' ? Removal<R> : V & string

type Named<R extends Listed, V> = R extends { readonly schema: infer S extends string }
  ? `${S}${V extends 'list' ? 's' : ''}`
  : Capitalize<R[V extends 'list' ? 'plural' : 'name']>

export type OperationId<R extends Listed> = {
  readonly [V in Verb]: `${Word<R, V>}${Named<R, V>}`
}[R['operations'][number]]

export function getOperationId({ name, plural, schema, removal }: Listed, verb: Verb): string {
  const word = verb === 'delete' ? (removal ?? verb) : verb
  if (schema !== undefined) return `${word}${schema}${verb === 'list' ? 's' : ''}`
  return word + capitalize(verb === 'list' ? plural : name)
}

type Distribute<R> = R extends Listed ? OperationId<R> : never
export type AllOperationIds = Distribute<(typeof resources)[ResourceName]>

/** The operations of all resources for the route table. */
export const resourceOperations = Object.assign(
  {},
  ...allResources.map(createOperations),
) as Readonly<Record<AllOperationIds, Operation>>

/** The operations of a resource for the route table. */
export function createOperations<R extends Listed>(
  resource: R,
): Readonly<Record<OperationId<R>, Operation>> {
  const {
    name,
    title = name,
    role,
    section,
    notes,
    summaries,
    operations,
    scope = 'full',
  } = resource
  const all = title === name ? resource.plural : `${title}s`
  const { removal = 'delete', limited = all } = resource
  const { create, edit, id, list, reply } = getSchemas<Listed>(resource)
  const one = `${getArticle(resource).toLowerCase()} ${title}`
  const missing = { not_found: `The account has no such ${title}.` }
  const isTagged = operations.includes('get')
  const tagged = isTagged ? { headers: ['If-Match'] as const } : {}
  const isOne = listInputs(resource).length === 1
  const every: Record<Verb, () => Operation> = {
    list: () =>
      defineOne('GET', list, {
        ...(resource.readRole && { role: resource.readRole }),
        ...{ summary: `List ${all}`, query: pageQuery() },
      }),
    create: () =>
      defineOne('POST', reply, {
        ...{ role, summary: `Create ${one}`, request: create },
        errors: { invalid_state: `The account has as many ${limited} as it may have.` },
      }),
    get: () => defineOne('GET', reply, { summary: `Get ${one}`, isTagged, errors: missing }),
    edit: () =>
      defineOne('PATCH', reply, {
        ...{ role, ...tagged, isTagged, request: edit, errors: missing },
        summary: `Change ${one}`,
        ...(isOne ? {} : { description: 'At least one field is required.' }),
      }),
    delete: () =>
      defineOne('DELETE', id, {
        ...{ role, ...tagged, summary: `${capitalize(removal)} ${one}`, errors: missing },
      }),
  }
  function defineOne(method: string, schema: z.ZodMiniType, details: Omit<Details, 'section'>) {
    const route = `${method} /${name}${details.errors === missing ? '/:id' : ''}`
    return define(route, method === 'GET' ? 'full' : scope, schema, { section, ...details })
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
