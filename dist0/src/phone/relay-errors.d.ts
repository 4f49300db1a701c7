/** Whose move it is when the relay did not do what it was asked: wait, let the report go, or give up. */
export type Verdict = 'temporary' | 'refused' | 'fatal';
/** What an error of a request means for the loop. */
export declare function verdict(error: unknown): Verdict;
/** Milliseconds the relay asked to be left alone, at most five minutes; 0 when it did not say. */
export declare function requestedWait(error: unknown): number;
/** The error that ends the loop, with what to do about wrong keys. */
export declare function explained(error: unknown): unknown;
/** The sentence of an error. */
export declare function sentence(error: unknown): string;
