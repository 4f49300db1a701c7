import type { Account } from '../../domain/account/account.js'
import { sortByName } from '../../domain/contact/contact.js'
import type { ListPageQuery } from '../../domain/list-key.js'
import { RelayError } from '../../errors.js'
import {
  type DraftOf,
  hasKey,
  isNamed,
  type Listed,
  listValues,
  type RecordOf,
  type Resource,
  toStored,
} from '../../resources/resource.js'
import { allResources, type ResourceName, type resources } from '../../resources/resources.js'
import { createLowercaseSecret, hashText } from '../../util/crypto/secrets.js'
import type { AccountListStore } from '../store/account-store.js'
import { createAccountRecord } from './create-account-record.js'
import type { ServiceContext } from './service-context.js'

/** Checks the current record in the change of a service; nothing changes if it throws. */
type Check<T> = (current: T) => void

/** Any record of a resource; the declaration says which fields it has. */
type AnyRecord = RecordOf<Resource>

/** A new record with its key, which is not stored. */
export interface Created<R extends Listed> {
  readonly record: RecordOf<R>
  readonly key?: string | undefined
}

/** What the service says of a record in a reply besides what is stored. */
export type Describe<R extends Listed> = (created: Created<R>) => Readonly<Record<string, unknown>>

/** The records of a resource. Its own class replaces `prepare`, `createKey`, `describe`. */
export class ResourceService<R extends Listed> {
  readonly resource: R
  protected readonly context: ServiceContext

  constructor(context: ServiceContext, resource: R) {
    this.context = context
    this.resource = resource
  }

  /** Checks and normalizes what a request has; throws `invalid_parameter`, `invalid_request`. */
  protected prepare<D extends Partial<DraftOf<R>>>(draft: D, _account: Account): D {
    return draft
  }

  protected createKey(_draft: DraftOf<R>): string | undefined {
    return hasKey(this.resource) ? createLowercaseSecret() : undefined
  }

  async describe(_account: Account): Promise<Describe<R>> {
    return () => ({})
  }

  /** All of an account: in order of their names if these are unique, otherwise of creation. */
  async list({ id }: Account): Promise<RecordOf<R>[]> {
    const all = await this.#records.list(id)
    return (isNamed(this.resource) ? sortByName(all as never) : all) as RecordOf<R>[]
  }

  async getPage({ id }: Account, query: ListPageQuery): Promise<RecordOf<R>[]> {
    return (await this.#records.getPage(id, query)) as RecordOf<R>[]
  }

  async get(account: Account, id: string): Promise<RecordOf<R>> {
    return this.#require(await this.#records.get(id), account, id)
  }

  async create(account: Account, given: DraftOf<R>): Promise<Created<R>> {
    const draft = this.prepare(given, account)
    const { newId, clock, store } = this.context
    const key = this.createKey(draft)
    const secret = key === undefined ? {} : { hash: hashText(key), hint: key.slice(0, 4) }
    const record = {
      ...{ id: newId(), account: account.id, ...toStored(this.resource, draft), ...secret },
      createdAt: clock.now(),
    }
    await createAccountRecord(store, this.#records, record)
    return { record: record as unknown as RecordOf<R>, key }
  }

  /**
   * Changes a record, unless `check` of the current one throws; null removes a value. Throws
   * `not_found` and, as {@link create} does, `invalid_parameter`.
   */
  async edit(
    account: Account,
    id: string,
    given: Partial<DraftOf<R>>,
    check?: Check<RecordOf<R>>,
  ): Promise<RecordOf<R>> {
    const changes = toStored(this.resource, this.prepare(given, account))
    const changed = await this.#records.change(id, current => {
      const record = this.#require(current, account, id)
      check?.(record)
      const values = Object.entries({ ...record, ...changes }).filter(([, value]) => value !== null)
      const next = Object.fromEntries(values)
      const [before, after] = [record, next].map(each =>
        JSON.stringify(listValues(this.resource, each)),
      )
      return before === after ? record : (next as never)
    })
    return this.#require(changed, account, id)
  }

  /** Removes a record, unless `check` of it throws. Throws `not_found`. */
  async remove(account: Account, id: string, check?: Check<RecordOf<R>>): Promise<RecordOf<R>> {
    let removed: RecordOf<R> | undefined
    await this.#records.change(id, current => {
      const record = this.#require(current, account, id)
      check?.(record)
      removed = record
      return null
    })
    return this.#require(removed as AnyRecord | undefined, account, id)
  }

  get #records(): AccountListStore<AnyRecord> {
    const { store } = this.context
    return store[this.resource.plural as 'templates'] as never
  }

  #require(record: AnyRecord | undefined, { id: account }: Account, id: string): RecordOf<R> {
    if (record?.account === account) return record as unknown as RecordOf<R>
    const { name, plural } = this.resource
    const message = `There is no ${name} ${id}; list the ${plural} to see their ids.`
    throw new RelayError('not_found', message)
  }
}

type Resources = typeof resources

/** The service of each resource, by its plural. */
export type ResourceServices = {
  readonly [K in ResourceName as Resources[K]['plural']]: ResourceService<Resources[K]>
}

export function createResourceServices(context: ServiceContext): ResourceServices {
  const services = allResources.map(each => [each.plural, new ResourceService(context, each)])
  return Object.fromEntries(services) as ResourceServices
}
