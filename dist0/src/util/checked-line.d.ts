/** A value as one line of a file: checksum (CRC-32, 8 hex digits), a space, JSON, a line feed. */
export declare function encodeCheckedLine(value: unknown): string;
/** The value of a line without its line feed; undefined when the checksum or the JSON is wrong. */
export declare function decodeCheckedLine(line: Buffer): unknown;
