import type { FileHandle } from 'node:fs/promises';
import type { Collections } from './collections.js';
/**
 * Writes a snapshot that is whole or not there. Its first line is the header, its last one the number of
 * lines between.
 */
export declare function createSnapshot(path: string, fill: (writer: SnapshotWriter) => Promise<void>): Promise<void>;
/** Writes the collections to a snapshot. */
export declare function writeSnapshot(path: string, data: Collections): Promise<void>;
/** Collects lines into large writes, and flushes them now and then. */
export declare class SnapshotWriter {
    #private;
    constructor(file: FileHandle);
    /** Adds a line: text with its line feed, or the bytes of one without, which must not change. */
    write(line: Buffer | string): Promise<void> | undefined;
    /** Adds the last line and writes everything. */
    finish(): Promise<void>;
}
