import { type Journal } from './journal.js';
/** Options of {@link openFileJournal}. */
export interface FileJournalOptions {
    /** The keys the phone signs in with: a journal belongs to one account, and a token to one pair of keys. */
    readonly credentials: {
        readonly user: string;
        readonly password: string;
    };
    /** Told in one sentence of things worth knowing. */
    readonly warn?: (sentence: string) => void;
    /** Messages that were sent and reported and are still remembered. @default 10000 */
    readonly most?: number;
    /** Bytes the file grows by before it is written anew. @default 524288 */
    readonly compactAfter?: number;
}
/** A directory in which the loops of one phone remember their attempts and their tokens through every crash. */
export interface FileJournal extends AsyncDisposable {
    /** The journal of one loop, counted from 0. */
    worker(worker: number): Journal;
    /** The loops of which an earlier run left outcomes that the relay does not know. */
    left(): readonly number[];
    /** The token a loop had last. */
    token(worker: number): Promise<string | undefined>;
    /** Keeps the token of a loop; a directory that cannot be written is told as a warning. */
    keepToken(worker: number, token: string): Promise<void>;
}
/** A short name for the journal of one account on one relay, which tells neither. */
export declare function journalName(url: string, secretKey: string): string;
/**
 * Opens a journal, for this process alone. An attempt that was begun and never came to an end has the outcome
 * `unknown`. Throws `directory_in_use`, `configuration` and `damaged_data`.
 */
export declare function openFileJournal(directory: string, options: FileJournalOptions): Promise<FileJournal>;
