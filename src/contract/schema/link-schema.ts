import * as z from 'zod/mini'

const link = z.object({ method: z.string(), url: z.string() })

/**
 * Schema of `links` in every reply: the operations on a resource by name
 * (docs/reference/interface.md 2.1).
 */
export const links = z.record(z.string(), link)

export type Link = z.infer<typeof link>
export type Links = z.infer<typeof links>
