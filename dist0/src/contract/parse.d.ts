import type { z } from 'zod';
/**
 * Checks a value against a schema of the interface. Throws `invalid_request` when something required is
 * missing and `invalid_parameter` when a value is wrong, with a sentence that names the field.
 */
export declare function parse<T>(schema: z.ZodType<T>, value: unknown, what?: string): T;
/** Checks a reply of a relay. Throws `invalid_reply`. */
export declare function parseReply<T>(schema: z.ZodType<T>, value: unknown): T;
