/** Counts what is going on, so that others can wait until nothing is. */
export declare class Activity {
    #private;
    /** Counts `work` in until it has settled. */
    during<T>(work: () => Promise<T>): Promise<T>;
    /** Resolves when nothing is going on. */
    idle(): Promise<void>;
}
