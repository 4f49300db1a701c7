import * as z from 'zod/mini'

/** An entry of the Do Not Text list. */
export const blocklistFields = z.object({
  /** Canonical number. */
  number: z.string(),
  added_on: z.string(),
  /** `account`, or `service` where it counts for every account. */
  scope: z.enum(['account', 'service']),
})

/** The reply to adding or removing a number. */
export const blocklistReply = z.object({ entry: blocklistFields })

/** The reply of GET /blocklist. */
export const blocklistListReply = z.object({ entries: z.array(blocklistReply) })

export type BlocklistFields = z.infer<typeof blocklistFields>
export type BlocklistReply = z.infer<typeof blocklistReply>
export type BlocklistListReply = z.infer<typeof blocklistListReply>
