import { buildListKey, parseListKey } from '../../../domain/list-key.js'
import { type Child, Fragment, type Html, h } from './html.js'

/** Links to the pages before and after; `range` says which entries this one shows. */
export function Pagination(props: {
  readonly label: string
  readonly path: string
  readonly range?: Child | undefined
  readonly previous?: Readonly<Record<string, string>> | undefined
  readonly next?: Readonly<Record<string, string>> | undefined
  readonly previousLabel?: string
  readonly nextLabel?: string
}): Html | null {
  const { label, path, range, previous, next } = props
  const { previousLabel = 'Previous', nextLabel = 'Next' } = props
  if (previous === undefined && next === undefined && range === undefined) return null
  return (
    <nav class="pager" aria-label={label}>
      <span>{range}</span>
      <span class="acts">
        {previous && (
          <a class="btn" href={buildLink(path, previous)} rel="prev">
            {previousLabel}
          </a>
        )}
        {next && (
          <a class="btn" href={buildLink(path, next)} rel="next">
            {nextLabel}
          </a>
        )}
      </span>
    </nav>
  )
}

/** Builds a link of the dashboard; omits empty parameters. */
export function buildLink(path: string, query: Readonly<Record<string, string>>): string {
  const filled = Object.entries(query).filter(([, value]) => value !== '')
  return filled.length === 0 ? path : `${path}?${new URLSearchParams(filled)}`
}

/** Reads the list key before a page from its query; undefined for the first page. */
export function readPageKey(text: string): string | undefined {
  return parseListKey(text) && text
}

/**
 * The first `pageSize` records of a list in order of their keys, and the queries of its first and
 * its next page. `found` has one record more if there is a next page.
 */
export function createKeyedPage<T extends { readonly createdAt: number; readonly id: string }>(
  found: readonly T[],
  { after, pageSize }: { readonly after: string | undefined; readonly pageSize: number },
) {
  const items = found.slice(0, pageSize)
  const last = found.length > pageSize ? items.at(-1) : undefined
  return {
    items,
    previous: after === undefined ? undefined : {},
    next: last && { after: buildListKey(last.createdAt, last.id) },
  }
}

/** Parses the offset in the query of a dashboard page; 0 if it is not one. */
export function parseStart(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : 0
}

export function createPageQueries(
  { start, pageSize, total }: { start: number; pageSize: number; total: number },
  query: Readonly<Record<string, string>> = {},
) {
  const createQuery = (at: number) => ({ ...query, start: at === 0 ? '' : String(at) })
  return {
    previous: start > 0 ? createQuery(Math.max(0, start - pageSize)) : undefined,
    next: start + pageSize < total ? createQuery(start + pageSize) : undefined,
  }
}
