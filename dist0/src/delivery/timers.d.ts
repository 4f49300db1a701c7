/** Starts timers, so that tests can bring their own. */
export interface Timers {
    /** Calls `run` once, after so many milliseconds; the returned function prevents that. */
    after(milliseconds: number, run: () => void): () => void;
}
/** The {@link Timers} of the real clock. */
export declare const realTimers: Timers;
/** Resolves after so many milliseconds, or as soon as the signal is aborted. */
export declare function waitFor(timers: Timers, milliseconds: number, signal: AbortSignal): Promise<void>;
