/** Lets a few pieces of costly work run at once, has a few more wait, and refuses the rest. */
export declare class Gate {
    #private;
    /**
     * @param atOnce how many run at the same time
     * @param waiting how many wait for their turn
     */
    constructor(atOnce: number, waiting: number);
    /** Does `work` when it is its turn. Throws what it throws, and `unavailable` when too many wait already. */
    run<T>(work: () => Promise<T>): Promise<T>;
}
