import type { Io } from './io.js';
/** Thrown, and reported with exit code 130, when a person or a supervisor ended the command. */
export declare class Interrupted extends Error {
    readonly name = "Interrupted";
    constructor(message?: string);
}
/** The wish of a person or a supervisor to end a command. */
export interface Interruption {
    /** Aborted by the first signal, and when the reader of stdout goes away. */
    readonly signal: AbortSignal;
    /** Aborted by the second signal, for a command that has something to save; the third ends the process. */
    readonly force: AbortSignal;
    /** Stops listening. */
    dispose(): void;
}
/** Listens for SIGINT, SIGTERM and SIGHUP; the second ends the process unless `force` was asked for. */
export declare function listenForInterruption(io: Io): Interruption;
/** Whether the reader of a pipe went away. */
export declare function isBrokenPipe(error: unknown): boolean;
