import type { Notice } from '../store.js';
import { type Collections } from './collections.js';
import { Indexes } from './indexes.js';
import { type JournalAdapterOptions } from './journal-adapter.js';
import { Transaction } from './transaction.js';
/**
 * Runs transactions one after the other in memory, makes those of one turn of the event loop durable with
 * one write, and undoes them all when that write fails, because memory must never be ahead of a refusal.
 */
export declare class Engine {
    #private;
    readonly indexes: Indexes;
    private constructor();
    /** Opens a data directory. Throws `damaged_data`, `configuration`. */
    static open(directory: string, options?: JournalAdapterOptions): Promise<Engine>;
    /** The records. They may be ahead of the disk: what leaves the store goes through {@link read}. */
    get data(): Collections;
    /**
     * Runs `body`; resolves to its result when everything it changed or saw is durable. Throws what it throws,
     * when what it saw is durable, and `unavailable`.
     */
    transact<T>(body: (transaction: Transaction) => T): Promise<T>;
    /** Resolves to what `body` sees when all of that is durable. */
    read<T>(body: () => T): Promise<T>;
    /** Calls `listener` after each durable change; the returned function ends that. */
    watch(listener: (notice: Notice) => void): () => void;
    /** Makes everything durable and closes the files. */
    close(): Promise<void>;
}
