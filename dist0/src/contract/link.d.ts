import { z } from 'zod';
/** An operation that is available on a resource (SPEC.md section 2.1). */
export declare const link: z.ZodObject<{
    method: z.ZodString;
    url: z.ZodString;
}, z.core.$strip>;
/** One operation: its method and absolute address. */
export type Link = z.infer<typeof link>;
/** The operations of a resource by name; a reply may have none. */
export declare const links: z.ZodRecord<z.ZodString, z.ZodObject<{
    method: z.ZodString;
    url: z.ZodString;
}, z.core.$strip>>;
/** The operations of a resource by name. */
export type Links = z.infer<typeof links>;
