import { AttemptBook, type Note } from './attempt-book.js';
/** A journal as it was found. */
export interface JournalReading {
    readonly owner: string;
    readonly book: AttemptBook;
    /** Bytes that are whole. */
    readonly length: number;
    /** Bytes after that, which were being written when the phone or the machine died. */
    readonly torn: number;
}
/** A whole journal of a book. */
export declare function encodeJournal(owner: string, book: AttemptBook): string;
/** A note as one line. */
export declare function encodeNote(note: Note, synced: number): string;
/**
 * Reads a journal. A line that is not whole ends it, unless it is known to have been on the disk once: then it
 * throws `damaged_data` naming file and line. Throws `configuration` for a journal of a newer version.
 */
export declare function decodeJournal(path: string, bytes: Buffer, book?: AttemptBook): JournalReading;
