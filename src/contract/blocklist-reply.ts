import * as z from 'zod/mini'

/** An entry of the Do Not Text list. Entries from before that was kept have null for why and who. */
export const doNotTextFields = z.object({
  /** Canonical number. */
  number: z.string(),
  added_on: z.string(),
  /** `account`, or `service` where it counts for every account. */
  scope: z.enum(['account', 'service']),
  /** `person`, `api`, `stop` (its owner texted a word for that) or `import`. */
  reason: z.optional(z.nullable(z.string())),
  /** An e-mail address, a kind of key, `administration`, or the number itself. */
  by: z.optional(z.nullable(z.string())),
  note: z.optional(z.nullable(z.string())),
})

/** The reply to adding or removing a number. */
export const doNotTextReply = z.object({ entry: doNotTextFields })

/** The reply of GET /blocklist. */
export const doNotTextListReply = z.object({ entries: z.array(doNotTextReply) })

/** An entry that cannot be imported. */
export const invalidEntry = z.object({
  /** Its place among those of the request, from 0. */
  index: z.number(),
  /** One sentence. */
  problem: z.string(),
})

/** The reply of POST /blocklist/import. */
export const doNotTextImportReply = z.object({
  /** Numbers that were listed, or would be. */
  added: z.number(),
  /** Numbers that were listed before. */
  listed: z.number(),
  invalid: z.array(invalidEntry),
})

export type DoNotTextFields = z.infer<typeof doNotTextFields>
export type DoNotTextReply = z.infer<typeof doNotTextReply>
export type DoNotTextListReply = z.infer<typeof doNotTextListReply>
export type InvalidEntry = z.infer<typeof invalidEntry>
export type DoNotTextImportReply = z.infer<typeof doNotTextImportReply>
