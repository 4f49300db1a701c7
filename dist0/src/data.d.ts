import { type DataReport, type ExportedRecord, exportData } from './store/lowdb/data-tools.js';
export { type DataReport, type ExportedRecord, exportData };
/** Reports what is whole in a data directory and what is not; the service may run. */
export declare function checkDirectory(directory: string): Promise<DataReport>;
/** Saves what is whole, and moves the rest aside; resolves to where. Throws `directory_in_use`. */
export declare function repairDirectory(directory: string): Promise<string>;
/** Makes a data directory of exported records; resolves to their number. Throws `directory_in_use`, `configuration`. */
export declare function importDirectory(directory: string, records: AsyncIterable<unknown>): Promise<number>;
/** Copies a data directory as it is at one moment; the service may run. Resolves to the path of the copy. */
export declare function backupDirectory(directory: string, target: string): Promise<string>;
