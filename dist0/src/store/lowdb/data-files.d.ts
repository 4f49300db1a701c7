/** What a data file is: everything up to some point, or what changed since. */
export type FileKind = 'snapshot' | 'journal';
/** The files that make up a store. Snapshot K holds what the journals below K said. */
export interface DataFiles {
    readonly directory: string;
    /** Number of the newest snapshot, 0 when there is none. */
    readonly snapshot: number;
    /** Numbers of the journals that follow it, ascending without a gap. */
    readonly journals: readonly number[];
    /** Names of files that the newest snapshot made useless, and of snapshots that were never finished. */
    readonly stale: readonly string[];
}
/** Finds the files of a store. Throws `damaged_data` where one is missing. */
export declare function findDataFiles(directory: string): Promise<DataFiles>;
/** The path of a data file. */
export declare function dataFile(directory: string, kind: FileKind, number: number): string;
/** The files to read, oldest first; only the last may end with a torn line. */
export declare function filesToRead(files: DataFiles): {
    path: string;
    last: boolean;
}[];
