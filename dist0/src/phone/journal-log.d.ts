import { RelayError } from '../errors.js';
import type { AttemptBook, Note } from './attempt-book.js';
import type { Notebook } from './journal.js';
/** What a {@link JournalLog} works with. */
export interface JournalLogOptions {
    readonly path: string;
    readonly owner: string;
    readonly book: AttemptBook;
    /** Told in one sentence that the journal cannot be written, once until it can. */
    readonly warn: (sentence: string) => void;
    /** Bytes that are appended before the file is written anew, or as many as it had then if that is more. */
    readonly compactAfter: number;
}
/**
 * Appends notes to a file, all that wait in one write and one sync, and writes the file anew when it has grown. A
 * note that could not be written goes before the next ones, unless its author was told.
 */
export declare class JournalLog implements Notebook {
    #private;
    /** @param length bytes of the file that are whole and on the disk */
    constructor(options: JournalLogOptions, length: number);
    must(note: Note): Promise<void>;
    note(note: Note, durable: boolean): Promise<void>;
    /** Waits for what is being written and closes the file. */
    close(): Promise<void>;
}
/** The error of a file of the journal that cannot be written. */
export declare function cannotWrite(path: string, cause: unknown): RelayError;
/** Why something could not be done with a file, in a word where there is one. */
export declare function reason(error: unknown): string;
