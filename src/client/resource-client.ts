import { getSchemas } from '../contract/schema/resource-schema.js'
import type { InputOf, Listed, ReplyOf, Verb } from '../resources/resource.js'
import { allResources, type ResourceName, type resources } from '../resources/resources.js'
import { addIfMatch, type CallOptions, type Tagged, type VersionOptions } from './call-options.js'
import type { Transport } from './transport.js'

/** The account's records of one resource (extension). */
export interface ResourceMethods<R extends Listed> {
  /** All of the account, in order of creation. */
  list(options?: CallOptions): Promise<ReplyOf<R>[]>
  /** Throws `invalid_parameter`. Only this reply has a key, if the resource has one. */
  create(json: InputOf<R>, options?: CallOptions): Promise<ReplyOf<R>>
  /** Throws `not_found`. */
  get(id: string, options?: CallOptions): Promise<ReplyOf<R>>
  /** Gets it with its version, for a change that depends on it. Throws `not_found`. */
  getTagged(id: string, options?: CallOptions): Promise<Tagged<ReplyOf<R>>>
  /** Throws `not_found`, `invalid_parameter`, and `precondition_failed` for another version. */
  edit(id: string, json: Partial<InputOf<R>>, options?: VersionOptions): Promise<ReplyOf<R>>
  /** Throws `not_found`, and `precondition_failed` for another version. */
  delete(id: string, options?: VersionOptions): Promise<void>
}

type Methods = { readonly [V in Verb]: V extends 'get' ? 'get' | 'getTagged' : V }

export type ResourceClient<R extends Listed> = Pick<
  ResourceMethods<R>,
  Methods[R['operations'][number]]
>

/** The client's part for one resource. */
export function createResourceClient<R extends Listed>(
  transport: Transport,
  resource: R,
): ResourceClient<R> {
  const { name, plural } = resource
  const all = `/${name}`
  const getPath = (id: string) => `${all}/${encodeURIComponent(id)}`
  const read = (reply: unknown) =>
    (reply as Readonly<Record<string, ReplyOf<R>>>)[name] as ReplyOf<R>
  const schemas = () => getSchemas<Listed>(resource)
  const methods: ResourceMethods<R> = {
    list: async (options = {}) => {
      const pages = await transport.readPages(all, schemas().list, options)
      return pages
        .flatMap(page => (page as Readonly<Record<string, unknown[]>>)[plural] ?? [])
        .map(read)
    },
    create: async (json, options = {}) =>
      read(await transport.call('POST', all, schemas().reply, { json, ...options })),
    get: async (id, options = {}) =>
      read(await transport.call('GET', getPath(id), schemas().reply, options)),
    getTagged: async (id, options = {}) => {
      const { resource: reply, tag } = await transport.get(getPath(id), schemas().reply, options)
      return { resource: read(reply), tag }
    },
    edit: async (id, json, options = {}) => {
      const call = { json, repeatable: true, ...addIfMatch(options) }
      return read(await transport.call('PATCH', getPath(id), schemas().reply, call))
    },
    delete: async (id, options = {}) => {
      await transport.call('DELETE', getPath(id), schemas().id, addIfMatch(options))
    },
  }
  return methods
}

type Resources = typeof resources
type Clients = {
  readonly [K in ResourceName as Resources[K]['plural']]: ResourceClient<Resources[K]>
}

/** The part of the client for each resource, by its plural. */
export const ResourceClients = class {
  constructor(transport: Transport) {
    for (const each of allResources)
      Object.assign(this, { [each.plural]: createResourceClient(transport, each) })
  }
} as unknown as new (
  transport: Transport,
) => Clients
