import { limits } from '../../domain/limits.js'
import { buildListKey } from '../../domain/list-key.js'

/** Bytes of the reply's page for the names and `links` around the items. */
const frameBytes = 4096

interface PageRequest {
  readonly request: {
    readonly path: string
    readonly query: string
  }
  readonly base: string
}

interface ListPage<T> {
  readonly name: string
  readonly items: readonly T[]
  readonly count: number
  readonly toReply: (item: T) => object
  /**
   * For the page links of a reply: the query of the page after an item, in place of the fields of
   * this query.
   */
  readonly getNextQuery: (item: T) => Readonly<Record<string, string>>
}

/**
 * Formats a page of a list as JSON of at most 1 MiB, with `links.next` if there are more items. A
 * page has at least one item.
 */
export function formatListPage<T>(
  { request, base }: PageRequest,
  { name, items, count, toReply, getNextQuery }: ListPage<T>,
): string {
  const texts: string[] = []
  let bytes = frameBytes
  for (const item of items.slice(0, count)) {
    const text = JSON.stringify(toReply(item))
    bytes += Buffer.byteLength(text) + 1
    if (bytes > limits.page && texts.length > 0) break
    texts.push(text)
  }
  const list = `"${name}":[${texts.join(',')}]`
  const last = items[texts.length - 1]
  if (last === undefined || texts.length === items.length) return `{${list}}`
  const query = new URLSearchParams(request.query)
  for (const name of [...query.keys()]) if (name.startsWith('filter[')) query.delete(name)
  for (const [name, value] of Object.entries(getNextQuery(last))) query.set(name, value)
  const next = { method: 'GET', url: `${base}${request.path}?${query}` }
  return `{${list},"links":${JSON.stringify({ next })}}`
}

/** The query of the page after an item of a list in order of creation. */
export function buildAfterQuery(at: number, id: string): Readonly<Record<string, string>> {
  return { after: buildListKey(at, id) }
}

/** The items of a reply after the cursor `after`, of a list in order of creation. */
export function skipTo<T>(
  items: readonly T[],
  after: string | undefined,
  getKey: (item: T) => string,
): readonly T[] {
  if (after === undefined) return items
  const first = items.findIndex(item => getKey(item) > after)
  return first === -1 ? [] : items.slice(first)
}
