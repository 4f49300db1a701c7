import { z } from 'zod';
/** What POST and DELETE /blocklist take (extension: the account's Do Not Text list). */
export declare const blocklistEntry: z.ZodObject<{
    number: z.ZodType<string, unknown, z.core.$ZodTypeInternals<string, unknown>>;
}, z.core.$strip>;
/** An entry of the Do Not Text list. */
export declare const blocklistFields: z.ZodObject<{
    number: z.ZodString;
    added_on: z.ZodString;
    scope: z.ZodEnum<{
        account: "account";
        service: "service";
    }>;
}, z.core.$strip>;
/** The reply to adding or removing a number. */
export declare const blocklistReply: z.ZodObject<{
    entry: z.ZodObject<{
        number: z.ZodString;
        added_on: z.ZodString;
        scope: z.ZodEnum<{
            account: "account";
            service: "service";
        }>;
    }, z.core.$strip>;
}, z.core.$strip>;
/** The reply of GET /blocklist. */
export declare const blocklistListReply: z.ZodObject<{
    entries: z.ZodArray<z.ZodObject<{
        entry: z.ZodObject<{
            number: z.ZodString;
            added_on: z.ZodString;
            scope: z.ZodEnum<{
                account: "account";
                service: "service";
            }>;
        }, z.core.$strip>;
    }, z.core.$strip>>;
}, z.core.$strip>;
export type BlocklistFields = z.infer<typeof blocklistFields>;
export type BlocklistReply = z.infer<typeof blocklistReply>;
export type BlocklistListReply = z.infer<typeof blocklistListReply>;
