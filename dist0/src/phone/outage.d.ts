import type { Pause } from '../util/pause.js';
/** What an {@link Outage} needs. */
export interface OutageOptions {
    readonly pause: Pause;
    readonly random: () => number;
}
/** Counts the failures in a row of something that may be away for a while, and waits ever longer between them. */
export declare class Outage {
    #private;
    constructor(options: OutageOptions);
    /** Notes a failure; true for the first of an outage. */
    begin(): boolean;
    /** Waits before the next try, `least` milliseconds or more. */
    wait(signal: AbortSignal, least?: number): Promise<void>;
    /** Notes that it works; true when that ends an outage. */
    end(): boolean;
}
