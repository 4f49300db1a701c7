import type { MessageCriteria } from '../../../../domain/message/message-criteria.js'
import type { SearchWords } from '../../../../domain/message/search-words.js'

/**
 * What the database compares in rows, so that most of those that do not match a search stay there:
 * the document has one of the values. The store still checks each of the others.
 */
export interface RowFilter {
  /** Whether the first value is compared with the document in lower case. */
  readonly isCased: boolean
  readonly values: readonly string[]
}

export function listRowFilters({ words, phone, source, reason }: MessageCriteria): RowFilter[] {
  const filters = [
    words && createPartFilter(words),
    reason === undefined ? undefined : createPartFilter({ part: reason, digits: undefined }),
    phone === undefined ? undefined : createFieldFilter('phone', phone),
    source === undefined ? undefined : createFieldFilter('source', source),
  ]
  return filters.filter(filter => filter !== undefined)
}

/** A name with its quotes is in no text: there, its quotes have a backslash. */
function createFieldFilter(name: string, value: string): RowFilter {
  return { isCased: false, values: [`"${name}":${JSON.stringify(value)}`] }
}

/** Kelvin sign and I with a dot: Unicode's lower case of them begins with an ASCII letter. */
const otherLetters = [
  ['k', '\u{212a}'],
  ['i', '\u{130}'],
] as const

/**
 * The filter of rows for words; undefined if the database cannot tell. It compares the longest part
 * that JSON and each collation leave as it is: letters beyond ASCII have no lower case there.
 */
function createPartFilter({ part, digits }: SearchWords): RowFilter | undefined {
  const plain = part.match(/[ !#-[\]-~]+/g) ?? []
  const [longest] = plain.sort((a, b) => b.length - a.length)
  if (longest === undefined) return undefined
  const others = otherLetters.filter(([letter]) => longest.includes(letter))
  const number = digits === undefined || digits.includes(longest) ? [] : [digits]
  // Lower case takes as long as all else together.
  const isCased = /[a-z]/.test(longest)
  return { isCased, values: [longest, ...others.map(([, other]) => other), ...number] }
}

export function formatFilters(filters: readonly RowFilter[]): string {
  return filters.map(each => `${each.isCased ? 'cased' : 'plain'}${each.values.length}`).join('_')
}

/**
 * The condition of rows `m` of the database; its parameters are the values of all filters.
 * @param first number of the first parameter
 */
export function buildFilters(filters: readonly RowFilter[], first: number): string {
  const plain = 'm.doc::text collate "C"'
  let next = first
  const conditions = filters.map(({ isCased, values }) => {
    const comparisons = values.map((_, at) => {
      const text = isCased && at === 0 ? `lower(${plain})` : plain
      next += 1
      return `strpos(${text}, $${next - 1}::text) > 0`
    })
    return `(${comparisons.join(' or ')})`
  })
  return conditions.join(' and ')
}
