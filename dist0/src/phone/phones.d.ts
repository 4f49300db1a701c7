import type { PhoneClient } from './context.js';
import type { PhoneResult } from './events.js';
import { type Journal } from './journal.js';
import { type PhoneOptions } from './loop.js';
/** The journals of the loops of one phone, by the number of the loop. */
export interface Journals {
    worker(worker: number): Journal;
    /** The loops of which an earlier run left something to report. */
    left(): readonly number[];
}
/** What {@link runPhones} works with. */
export interface PhonesOptions extends Omit<PhoneOptions, 'client' | 'journal' | 'drain'> {
    /** Makes the client of a loop, with a token of its own. */
    readonly createClient: (worker: number) => Promise<PhoneClient>;
    /** Loops, and so messages in hand at a time. @default 1 */
    readonly concurrency?: number;
    /** @default memory */
    readonly journals?: Journals;
}
/** {@link Journals} that a crash forgets. */
export declare function memoryJournals(): Journals;
/**
 * Runs loops side by side as one phone: each has a message in hand at a time, and all stop when one of them cannot
 * go on. Throws what {@link runPhone} throws.
 */
export declare function runPhones({ createClient, concurrency, journals, onEvent, ...shared }: PhonesOptions): Promise<PhoneResult>;
