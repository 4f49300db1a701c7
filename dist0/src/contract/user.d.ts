import { z } from 'zod';
/** The reply of GET /user (SPEC.md section 4.4). */
export declare const userReply: z.ZodObject<{
    user: z.ZodObject<{
        email: z.ZodString;
    }, z.core.$strip>;
    links: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodObject<{
        method: z.ZodString;
        url: z.ZodString;
    }, z.core.$strip>>>;
}, z.core.$strip>;
/** The reply of GET /user/app (SPEC.md section 4.4). */
export declare const userAppReply: z.ZodObject<{
    user: z.ZodObject<{
        app_key: z.ZodString;
        secret_key: z.ZodString;
    }, z.core.$strip>;
    links: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodObject<{
        method: z.ZodString;
        url: z.ZodString;
    }, z.core.$strip>>>;
}, z.core.$strip>;
/** The reply of GET /oauth (SPEC.md section 2.5). */
export declare const tokenReply: z.ZodObject<{
    access_token: z.ZodString;
    token_type: z.ZodLiteral<"Bearer">;
    expires_in: z.ZodNumber;
    scope: z.ZodString;
}, z.core.$strip>;
/** The body of every error (RFC 6749 section 5.2). */
export declare const errorReply: z.ZodObject<{
    error: z.ZodString;
    error_description: z.ZodString;
}, z.core.$strip>;
export type UserReply = z.infer<typeof userReply>;
export type UserAppReply = z.infer<typeof userAppReply>;
export type TokenReply = z.infer<typeof tokenReply>;
export type ErrorReply = z.infer<typeof errorReply>;
