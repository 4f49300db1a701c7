/** What reading a file found. */
export interface FileReading {
    /** Bytes up to the end of the last whole line. */
    readonly length: number;
    /** Bytes after that: a line whose writing was cut short. */
    readonly torn: number;
}
/**
 * Reads a file line by line and checks each checksum. Throws `damaged_data` naming file and line, save for
 * a torn last line where `tornEnd` allows one, and `configuration` for a file of a newer version.
 */
export declare function readLines(path: string, tornEnd: boolean, onLine: (value: unknown) => void): Promise<FileReading>;
/**
 * Gives each line without its line feed, and waits where `take` says so; resolves to what follows the last
 * one. A line must be copied to be kept.
 */
export declare function forEachLine(path: string, take: (line: Buffer) => Promise<void> | void): Promise<Buffer>;
/** A file that lines are appended to; each append is durable when it resolves. */
export declare class JournalFile {
    #private;
    private constructor();
    /** Creates a journal with its header; after an error there is none, or it would be in the way of the next try. */
    static create(path: string): Promise<JournalFile>;
    /** Opens a journal to go on after `length` bytes; what follows is cut off. */
    static resume(path: string, length: number): Promise<JournalFile>;
    /** Bytes written so far. */
    get length(): number;
    /** Appends text and waits until it is on the disk; after an error the file is as it was before. */
    append(text: string): Promise<void>;
    /** Closes the file. */
    close(): Promise<void>;
}
