import { type Html, h } from './html.js'

/** Links to the previous and the next page; `previous` and `next` are their queries. */
export function Pagination(props: {
  /** For screen readers. */
  readonly label: string
  readonly path: string
  readonly previous?: Readonly<Record<string, string>> | undefined
  readonly next?: Readonly<Record<string, string>> | undefined
  /** @default 'Previous' */
  readonly previousLabel?: string
}): Html {
  const { label, path, previous, next, previousLabel = 'Previous' } = props
  if (previous === undefined && next === undefined) return <p class="pages" />
  return (
    <nav class="pages" aria-label={label}>
      {previous && (
        <a href={buildLink(path, previous)} rel="prev">
          {`← ${previousLabel}`}
        </a>
      )}
      {next && (
        <a href={buildLink(path, next)} rel="next">
          Next →
        </a>
      )}
    </nav>
  )
}

/** A path with a query, without the parameters that are empty. */
export function buildLink(path: string, query: Readonly<Record<string, string>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== '')
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

/** Reads the offset of a page from its query; 0 if it is invalid. */
export function parseStart(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : 0
}

/** The queries of the previous and the next page of a list with `total` entries. */
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
