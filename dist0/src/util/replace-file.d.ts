import { type FileHandle } from 'node:fs/promises';
/**
 * Writes a whole file that only this user may read, durably and at once: whoever opens the path, also after a crash,
 * finds the old content or the new. Not for two writers of one path at the same time.
 */
export declare function replaceFile(path: string, content: string): Promise<void>;
/** As {@link replaceFile}, with what `write` writes. */
export declare function replaceFileWith(path: string, write: (file: FileHandle) => Promise<void>): Promise<void>;
