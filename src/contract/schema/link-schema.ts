import * as z from 'zod/mini'

/** An operation that is available on a resource (SPEC.md section 2.1). */
export const link = z.object({ method: z.string(), url: z.string() })

/** One operation: its method and absolute address. */
export type Link = z.infer<typeof link>

/** The operations of a resource by name; a reply may have none. */
export const links = z.record(z.string(), link)

/** The operations of a resource by name. */
export type Links = z.infer<typeof links>
