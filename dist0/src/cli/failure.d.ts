import type { Io } from './io.js';
/** An error as it is told: a code for programs, one line for people, and the exit code. */
export interface Failure {
    readonly code: string;
    readonly message: string;
    readonly exitCode: number;
}
/** What a command tells of an error; undefined where there is nothing to tell (nobody reads any more). */
export declare function toFailure(error: unknown): Failure | undefined;
/** Tells an error: with `json` one JSON value on stdout, else one line on stderr; sets the exit code. */
export declare function report(error: unknown, io: Io, json: boolean): Promise<void>;
/** Whether the arguments ask for JSON; known before, and even if, they can be parsed. */
export declare function wantsJson(argv: readonly string[]): boolean;
