/** How failures slow further tries down. Times in milliseconds. */
export interface SlowDown {
    /** Failures that cost nothing. */
    readonly free: number;
    /** The pause after the first failure beyond those; it doubles with each further one. */
    readonly first: number;
    /** The longest pause. */
    readonly most: number;
}
/** Settings of a {@link GuessGuard}. */
export interface GuardSettings {
    readonly address: SlowDown;
    readonly name: SlowDown;
    /** Milliseconds without a failure after which the earlier ones are forgotten. */
    readonly memory: number;
    /** Addresses, and names, that are remembered; the one whose last failure is oldest goes first. */
    readonly remembered: number;
    /** Tries with keys that an address with no failures may have under way at once. */
    readonly keysAtOnce: number;
    /** The same for passwords, which are costly to check. */
    readonly passwordsAtOnce: number;
}
/** Settings unless told. */
export declare const guardSettings: GuardSettings;
/** Who tries to sign in. */
export interface Guesser {
    readonly address: string;
    /** The secret key or the e-mail address. */
    readonly name: string;
}
/**
 * Slows down whoever tries credentials, by where the tries come from and by the name they are for. A pause counts
 * from the address's own last failure, and an address without one is never held up: so others who guess at a name
 * cannot lock its owner out, and a mistake while they do costs its owner `name.most` at worst. A success does not
 * clear the address's count, or an account of one's own would be a licence to guess at others.
 */
export declare class GuessGuard {
    #private;
    constructor(now: () => number, settings?: Partial<GuardSettings>);
    /** How many addresses and names are remembered. */
    get size(): number;
    /**
     * Signs in by `work`, which throws `invalid_client` for wrong credentials. Throws what it throws, and
     * `too_many_requests` without calling it.
     */
    attempt<T>({ address, name }: Guesser, work: () => Promise<T>): Promise<T>;
}
/** Milliseconds from a failure to the next try, by the number of failures up to then. */
export declare function pauseAfter(failures: number, { free, first, most }: SlowDown): number;
