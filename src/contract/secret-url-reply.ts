import * as z from 'zod/mini'
import { links } from './schema/link-schema.js'

/** The fields of a secret URL (extension); null: not limited, or not yet. */
export const secretUrlFields = z.object({
  id: z.string(),
  name: z.nullable(z.string()),
  /** The recipients of every use. */
  destination: z.nullable(z.array(z.string())),
  /** The text of every use, with `{name}` for fields of the request. */
  message: z.nullable(z.string()),
  /** Such as `10/h`. */
  rate: z.nullable(z.string()),
  expires_on: z.nullable(z.string()),
  /** Whether GET only shows a page that asks. */
  confirm: z.boolean(),
  /** `active` or `expired`. */
  state: z.string(),
  created_on: z.string(),
  used_count: z.number(),
  last_used_on: z.nullable(z.string()),
  /** The whole address; only in the reply to its creation. */
  url: z.optional(z.string()),
})

/** A reply that holds one secret URL. */
export const secretUrlReply = z.object({ url: secretUrlFields, links: z.optional(links) })

/** The reply to a DELETE of a secret URL. */
export const secretUrlIdReply = z.object({ url: z.object({ id: z.string() }) })

/** The reply of GET /url. */
export const secretUrlListReply = z.object({ urls: z.array(secretUrlReply) })

export type SecretUrlFields = z.infer<typeof secretUrlFields>
export type SecretUrlReply = z.infer<typeof secretUrlReply>
export type SecretUrlListReply = z.infer<typeof secretUrlListReply>

/** What a use of a secret URL tells of a message: nothing that the URL keeps to itself. */
export interface SecretUrlMessageFields {
  readonly id: string
  readonly status: string
  readonly status_date: string
  readonly created_on: string
  readonly send_on: string
  readonly source: string
}
