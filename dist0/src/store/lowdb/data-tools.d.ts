import { type Kind } from './collections.js';
import { type Damage } from './inspect.js';
/** What a check of a data directory found. */
export interface DataReport {
    readonly files: readonly {
        readonly file: string;
        readonly lines: number;
    }[];
    readonly damages: readonly (Omit<Damage, 'path'> & {
        readonly file: string;
    })[];
    /** Number of whole records of each kind. */
    readonly records: Readonly<Record<string, number>>;
}
/** One record of an export. */
export interface ExportedRecord {
    readonly kind: Kind;
    readonly key: string;
    readonly record: unknown;
}
/** Reads a data directory and reports what is whole and what is not; the service may run. Changes nothing. */
export declare function checkData(directory: string): Promise<DataReport>;
/**
 * Writes what is whole into a new snapshot and moves the old files aside, into a directory beside them
 * whose name it resolves to. Nobody else may hold the data directory.
 */
export declare function repairData(directory: string, now: Date): Promise<string>;
/** Every record of a data directory, in order; the service may run. Throws `damaged_data`. */
export declare function exportData(directory: string): AsyncGenerator<ExportedRecord>;
/** Makes a data directory of exported records; resolves to their number. Throws `invalid_parameter`, `configuration`. */
export declare function importData(directory: string, records: AsyncIterable<unknown>): Promise<number>;
/** Copies a data directory, as it is at one moment, to a new directory; the service may run. */
export declare function backupData(directory: string, target: string): Promise<void>;
