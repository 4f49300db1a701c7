/** A program to run, and how long it may take. */
export interface Program {
    readonly program: string;
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string | undefined>>;
    /** Milliseconds. */
    readonly timeout: number;
    readonly signal: AbortSignal;
    /** Milliseconds from SIGTERM to SIGKILL. @default 2000 */
    readonly killAfter?: number;
    /** Milliseconds that output is waited for after the end, as a process left behind may hold it open. @default 200 */
    readonly drain?: number;
}
/** How a program ended: by itself, by somebody's signal, or because it was stopped here. */
export type End = {
    readonly by: 'exit';
    readonly status: number;
} | {
    readonly by: 'signal';
    readonly signal: string;
} | {
    readonly by: 'stop';
    readonly reason: string;
};
/** How a program ended, the beginning of what it said and the end of what it complained of. */
export type Ended = End & {
    readonly stdout: string;
    readonly stderr: string;
};
/**
 * Runs a program without a shell in a process group of its own, so that a Ctrl-C on the terminal does not reach it
 * and a stop reaches all it has started. Throws {@link DriverError} when it did not start.
 */
export declare function runProgram(options: Program): Promise<Ended>;
