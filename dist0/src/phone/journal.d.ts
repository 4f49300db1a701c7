import type { MessageFields } from '../contract/message.js';
import { type Attempt, AttemptBook, type Known, type Note } from './attempt-book.js';
import type { Outcome } from './outcome.js';
/**
 * What one loop of a phone remembers of its attempts, so that nothing is sent twice: in memory
 * ({@link memoryJournal}), or on disk where it outlives a crash (`openFileJournal`).
 */
export interface Journal {
    /** What an earlier run of this loop left: outcomes the relay does not know. */
    unreported(): readonly Known[];
    /**
     * The driver is about to be called, unless an earlier attempt has an outcome that is to be reported instead of
     * sending again; waits for another loop that has the same message in hand. Throws when it cannot be noted.
     */
    begin(message: MessageFields, key: string): Promise<Known | undefined>;
    /** The driver has answered; nothing is reported yet. */
    record(attempt: Attempt, outcome: Outcome): Promise<void>;
    /** No attempt took place after all. */
    cancel(attempt: Attempt): Promise<void>;
    /** The relay has answered the report. */
    settle(attempt: Attempt): Promise<void>;
}
/** A {@link Journal} that remembers what was sent, up to `most` messages; loops in one process share it. */
export declare function memoryJournal(most?: number): Journal;
/** Where notes are kept. */
export interface Notebook {
    /** Keeps a note; rejects when it cannot. */
    must(note: Note): Promise<void>;
    /** Keeps a note as soon as it can; never rejects. Unless `durable`, the loss of it in a power cut does no harm. */
    note(note: Note, durable: boolean): Promise<void>;
}
/** The attempts of all loops of a phone: in a book, and noted in a {@link Notebook}. */
export declare class Attempts {
    #private;
    constructor(book: AttemptBook, notebook: Notebook);
    /** The journal of one loop. */
    worker(worker: number): Journal;
}
