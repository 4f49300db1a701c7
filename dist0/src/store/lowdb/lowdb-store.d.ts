import type { Store } from '../store.js';
import type { JournalAdapterOptions } from './journal-adapter.js';
/** Options of {@link openLowdbStore}. */
export interface LowdbStoreOptions extends JournalAdapterOptions {
    /** Milliseconds since the epoch. @default Date.now */
    readonly now?: () => number;
}
/**
 * Opens the embedded store in a directory, which this process must hold alone. Throws `damaged_data` and
 * `configuration`.
 */
export declare function openLowdbStore(directory: string, options?: LowdbStoreOptions): Promise<Store>;
