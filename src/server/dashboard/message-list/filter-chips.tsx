import { formatCount } from '../../../util/text/plural.js'
import type { SearchResult } from '../../services/messages/message-search.js'
import { type Html, h } from '../components/html.js'
import { Icon } from '../components/icons.js'
import { buildLink } from '../components/pagination.js'
import { sourceLabels } from '../messages/message-path.js'
import { formatDate } from '../page/page-times.js'
import { ages, type ListQuery, listFilterNames, toQuery } from './message-list-query.js'

/** The filters in use, each with a link that removes it, and what the search has found. */
export function FilterChips(props: { readonly query: ListQuery; readonly note: string }): Html {
  const { query, note } = props
  const names = listFilterNames(query)
  const without = (removed: readonly (keyof ListQuery)[]): string => {
    const empty = Object.fromEntries(removed.map(name => [name, '']))
    return buildLink('/messages', toQuery({ ...query, ...empty }, 0))
  }
  return (
    <div class="chips">
      {names.map(name => (
        <a class="chip" href={without([name])}>
          {describeFilter(query, name)}
          <span class="unseen">: remove this filter</span>
          <Icon name="cross" />
        </a>
      ))}
      <a href={without(names)}>Clear the filters</a>
      <span role="status">{note}</span>
    </div>
  )
}

function describeFilter(query: ListQuery, name: ReturnType<typeof listFilterNames>[number]) {
  if (name === 'words') return `“${query.words}”`
  if (name === 'age') return ages.find(([age]) => age === query.age)?.[1]
  if (name === 'from') return `From ${formatDate(query.from)}`
  if (name === 'to') return `To ${formatDate(query.to)}`
  if (name === 'phone') return `Phone ${query.phone}`
  return query.source === '' ? '' : `Source ${sourceLabels[query.source]}`
}

/** Says how many messages a page of search results has, and which ones the search covers. */
export function describeSearch(
  { messages, next, seen }: SearchResult,
  { order, start }: Pick<ListQuery, 'order' | 'start'>,
  pageSize: number,
): string {
  const { length } = messages
  const found = `${formatCount(length)} ${length === 1 ? 'match' : 'matches'}`
  if (next !== undefined && length === pageSize)
    return `${found} on this page; the next page has more.`
  const more = order === 'desc' ? 'older' : 'newer'
  if (next !== undefined)
    return `${found} in ${formatCount(seen)} messages. The next page searches ${more} ones.`
  if (start > 0) return `${found} on the last page.`
  return `${found}. The search covers every message of this state and time.`
}
