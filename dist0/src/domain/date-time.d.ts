/** Milliseconds since the epoch of a UTC `YYYY-MM-DD HH:MM:SS`, or undefined when there is no such time (SPEC.md section 2.2). */
export declare function parseDateTime(text: string): number | undefined;
/**
 * A time in milliseconds since the epoch, years 0 to 9999, as UTC `YYYY-MM-DD HH:MM:SS` (SPEC.md section
 * 2.2). By arithmetic: through `Date` it takes five times as long, and every message shown has three.
 */
export declare function formatDateTime(ms: number): string;
