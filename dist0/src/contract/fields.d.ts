import { z } from 'zod';
/** Text without NUL and lone surrogates, `least` to `most` characters (code points) long. */
export declare function text(least: number, most: number): z.ZodType<string>;
/** A time, UTC `YYYY-MM-DD HH:MM:SS` (SPEC.md section 2.2). */
export declare const dateTime: z.ZodString;
/** An integer, as a number or, from a form, as its digits. */
export declare function integer(least: number, most: number): z.ZodType<number>;
/** A boolean, as such or, from a form, as `true`, `false`, `1` or `0`. */
export declare const boolean: z.ZodPipe<z.ZodUnknown, z.ZodTransform<boolean, unknown>>;
