/** The failures of one key. */
export interface Failures {
    readonly failures: number;
    /** When the last one was, in milliseconds. */
    readonly last: number;
}
/** Counts failures by key, for a while and for a bounded number of keys. */
export declare class FailureLog {
    #private;
    /**
     * @param memory milliseconds after which a key without a failure is forgotten
     * @param most keys that are kept; the one that failed longest ago goes first
     */
    constructor(memory: number, most: number);
    /** Keys that are kept. */
    get size(): number;
    /** The failures of a key; undefined when there are none. */
    get(key: string, now: number): Failures | undefined;
    /** Counts a failure. */
    add(key: string, now: number): void;
    /** Forgets a key. */
    clear(key: string): void;
}
