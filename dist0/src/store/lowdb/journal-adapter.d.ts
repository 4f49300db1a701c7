import type { Adapter } from 'lowdb';
import { type Collections, type Entry } from './collections.js';
import { type RunFold } from './compaction.js';
/** Options of {@link JournalAdapter}. */
export interface JournalAdapterOptions {
    /** Told in one sentence what was mended while reading, or could not be done. */
    readonly warn?: (sentence: string) => void;
    /**
     * Journals of more than this many bytes, and more than half the snapshot, are folded into a new
     * snapshot. @default 16 MiB
     */
    readonly foldAbove?: number;
    /** Folds in the background. @default in a worker thread */
    readonly runFold?: RunFold;
}
/**
 * The adapter between lowdb and the data directory: an append-only journal of changed records, one line a
 * group of transactions, over a snapshot. Snapshot K holds what the journals below K said.
 */
export declare class JournalAdapter implements Adapter<Collections> {
    #private;
    constructor(directory: string, options?: JournalAdapterOptions);
    /** Reads snapshot and journals, and opens the journal for writing. Throws `damaged_data`, `configuration`. */
    read(): Promise<Collections>;
    /** Adds a transaction to what the next {@link write} makes durable. */
    stage(entries: readonly Entry[]): void;
    /**
     * Appends what is staged as one line and waits until it is on the disk; after an error nothing of it is.
     * One line for all, so that a write that was cut short can only have damaged the last line.
     */
    write(): Promise<void>;
    /** Closes the journal; a compaction in hand is given up, and begun again after the next start. */
    close(): Promise<void>;
}
