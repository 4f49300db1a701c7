import type { Administration } from './admin/administration.js';
import { type RelaySettings } from './config/config.js';
import type { Store } from './store/store.js';
/** Parts that a test or an embedding program may replace. */
export interface RelayOverrides {
    /** Milliseconds since the epoch. @default Date.now */
    readonly now?: () => number;
    readonly newId?: () => string;
    readonly openStore?: (directory: string) => Promise<Store>;
    /** Told in one sentence of things worth knowing. */
    readonly warn?: (sentence: string) => void;
    /** Told of errors that nobody foresaw. */
    readonly reportDefect?: (error: unknown) => void;
}
/** A relay that holds its data directory. */
export interface Relay {
    /**
     * Starts to serve and to deliver. Throws `configuration` when it cannot listen, which may be tried again, and
     * `unavailable` after a stop.
     */
    start(): Promise<void>;
    /** Where it listens, once started. */
    readonly url: string;
    readonly administration: Administration;
    /** Finishes what is in hand and lets go of everything. */
    stop(): Promise<void>;
}
/**
 * Opens a relay on its data directory. Throws `usage`, `configuration`, `directory_in_use` and `damaged_data`.
 *
 * @example
 * const relay = await createRelay({ dataDir: './data', port: 0 })
 * await relay.start()
 */
export declare function createRelay(settings: RelaySettings, overrides?: RelayOverrides): Promise<Relay>;
/**
 * Administration of a data directory: through the service that runs on it, else by holding it meanwhile.
 * Throws `usage`, `configuration`, `directory_in_use` and `damaged_data`.
 */
export declare function openAdministration(dataDir: string, { create }?: AdministrationOptions): Promise<Administration>;
/** Options of {@link openAdministration}. */
export interface AdministrationOptions {
    /** Whether to make a data directory that is not there. @default false */
    readonly create?: boolean;
}
