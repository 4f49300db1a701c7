/** A task that is repeated. */
export interface Chore {
    start(): void;
    /** Ends the repetition and waits for a run in hand. */
    stop(): Promise<void>;
}
/** Repeats a task, `interval` milliseconds after each end; what it throws goes to `onError`. */
export declare function every(interval: number, task: () => Promise<void>, onError: (error: unknown) => void): Chore;
