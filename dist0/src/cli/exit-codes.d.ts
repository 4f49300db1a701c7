import type { ErrorCode } from '../errors.js';
/** What the process ends with (smsrelay help exit-codes). */
export declare const exitCodes: {
    readonly ok: 0;
    readonly failed: 1;
    readonly usage: 2;
    readonly notSent: 3;
    readonly notAuthorised: 4;
    readonly notFound: 5;
    readonly timedOut: 124;
    readonly interrupted: 130;
};
/** The exit code of an error code. */
export declare function exitCodeOf(code: ErrorCode): number;
