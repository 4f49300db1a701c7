import * as z from 'zod/mini'
import { limits } from '../../domain/limits.js'
import { describe, extension } from './describe.js'
import { links } from './link-schema.js'
import { integerField, queryObject } from './schema-fields.js'

const cursorError = 'must be the `after` in `links.next` of a page'

/** The query of a list in pages, in order of creation (docs/reference/extensions.md, "Pages"). */
export function pageQuery(max: number = limits.listMax) {
  const cursor = z
    .string({ error: cursorError })
    .check(z.regex(/^\d{15}\.[\x20-\x7e]{1,64}$/, { error: cursorError }))
  return queryObject({
    count: describe(
      z._default(integerField(1, max), limits.listMax),
      'The most items of the page.',
      extension,
    ),
    after: describe(
      z.optional(cursor),
      'The cursor of the page, from `links.next` of the page before.',
      extension,
    ),
  })
}

/** `links` of a page: `next` if there are more items. */
export const pageLinks = z.lazy(() =>
  describe(
    z.optional(links),
    'Has `next`, the address of the next page; absent on the last page.',
    extension,
  ),
)
