import { z } from 'zod';
import { limits } from '../domain/limits.js';
import { text } from './fields.js';
/** What POST and DELETE /blocklist take (extension: the account's Do Not Text list). */
export const blocklistEntry = z.object({ number: text(1, limits.destination) });
/** An entry of the Do Not Text list. */
export const blocklistFields = z.object({
    /** Canonical number. */
    number: z.string(),
    added_on: z.string(),
    /** `account`, or `service` where it counts for every account. */
    scope: z.enum(['account', 'service']),
});
/** The reply to adding or removing a number. */
export const blocklistReply = z.object({ entry: blocklistFields });
/** The reply of GET /blocklist. */
export const blocklistListReply = z.object({ entries: z.array(blocklistReply) });
