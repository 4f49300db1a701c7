import * as z from 'zod/mini'
import { limits } from '../../domain/limits.js'
import { links } from './link-schema.js'
import { integerField } from './schema-fields.js'

const cursorError = 'must be the `after` in `links.next` of a page'

/** The query of a list in pages, in order of creation (docs/reference/extensions.md, "Pages"). */
export function pageQuery(max: number = limits.listMax) {
  return z.object({
    count: z._default(integerField(1, max), limits.listMax),
    after: z.optional(
      z
        .string({ error: cursorError })
        .check(z.regex(/^\d{15}\.[\x20-\x7e]{1,64}$/, { error: cursorError })),
    ),
  })
}

/** `links` of a page: `next` if there are more items. */
export const pageLinks = z.lazy(() => z.optional(links))
