import { type DataFiles } from './data-files.js';
import type { FoldJob } from './fold.js';
import { JournalFile } from './journal-file.js';
/** Folds in the background; rejects when the signal is aborted before it is done. */
export type RunFold = (job: FoldJob, signal: AbortSignal) => Promise<void>;
/** Options of {@link Compaction}. */
export interface CompactionOptions {
    readonly warn?: (sentence: string) => void;
    readonly foldAbove?: number;
    readonly runFold?: RunFold;
}
/**
 * Keeps the journals short: when they have grown, a new one is begun, and the ones before it are folded into
 * a new snapshot while the service goes on.
 */
export declare class Compaction {
    #private;
    constructor(directory: string, options: CompactionOptions);
    /** Takes up the files as they were found. */
    resume({ directory, snapshot, journals }: DataFiles): Promise<void>;
    /** The journal to go on with: a new one when a compaction begins. */
    afterAppend(journal: JournalFile): Promise<JournalFile>;
    /** Gives up what is in hand. */
    stop(): Promise<void>;
}
/** Folds in a worker thread, so that the service goes on meanwhile. */
export declare function foldInWorker(job: FoldJob, signal: AbortSignal): Promise<void>;
