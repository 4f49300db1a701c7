import { z } from 'zod';
/** An account with its keys in the clear: printed once when it is created (README: first run). */
export declare const newAccount: z.ZodObject<{
    id: z.ZodString;
    email: z.ZodString;
    password: z.ZodString;
    secret_key: z.ZodString;
    api_key: z.ZodString;
    app_key: z.ZodString;
}, z.core.$strip>;
/** What administration shows of an account. */
export declare const accountFields: z.ZodObject<{
    id: z.ZodString;
    email: z.ZodString;
    secret_key: z.ZodString;
    app_key: z.ZodString;
    country: z.ZodString;
    mode: z.ZodEnum<{
        "at-least-once": "at-least-once";
        "at-most-once": "at-most-once";
    }>;
    created_on: z.ZodString;
}, z.core.$strip>;
/** An account with its keys in the clear. */
export type NewAccount = z.infer<typeof newAccount>;
/** What administration shows of an account. */
export type AccountFields = z.infer<typeof accountFields>;
