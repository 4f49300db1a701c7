import { z } from 'zod'
import { limits } from '../domain/limits.js'
import { text } from './fields.js'

/** What POST and DELETE /blocklist take (extension: the account's Do Not Text list). */
export const blocklistEntry = z.object({ number: text(1, limits.destination) })

export type {
  BlocklistFields,
  BlocklistListReply,
  BlocklistReply,
} from './blocklist-reply.js'
