import * as z from 'zod/mini'
import { annotate, describe } from './describe.js'

const link = annotate(
  z.object({
    method: describe(z.string(), 'The HTTP method, such as `GET` or `NEXT`.'),
    url: describe(z.string(), 'The absolute address.', { format: 'uri' }),
  }),
  { id: 'Link', description: 'One operation on a resource.' },
)

/**
 * Schema of `links` in every reply: the operations on a resource by name
 * (docs/reference/interface.md 2.1).
 */
export const links = describe(
  z.record(z.string(), link),
  'The operations on the resource, by name.',
  { id: 'Links' },
)

export type Link = z.infer<typeof link>
export type Links = z.infer<typeof links>
