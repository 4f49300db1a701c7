/** Makes the names in a directory durable. */
export declare function syncDirectory(path: string): Promise<void>;
