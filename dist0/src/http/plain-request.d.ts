/** Whether `chunk` is one whole request with a method out of `known` and nothing after its head. */
export declare function isPlainRequest(chunk: Buffer, known: ReadonlySet<string>): boolean;
