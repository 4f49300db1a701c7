/** A file that is only ever written to at its end; an append that fails leaves it as it was before. */
export declare class AppendFile {
    #private;
    private constructor();
    /** Opens a file to go on after `length` bytes (@default all); what follows is cut off, the rest is on the disk then. */
    static open(path: string, length?: number): Promise<AppendFile>;
    /** Bytes written. */
    get length(): number;
    /** Bytes of these that are surely on the disk. */
    get synced(): number;
    /** Appends text; when `durable`, all of the file is on the disk once this resolves. */
    append(text: string, durable: boolean): Promise<void>;
    /** Closes the file. */
    close(): Promise<void>;
}
