/** Answer of a scan that needs more bytes. */
export declare const incomplete = -1;
/** Answer of a scan that met bytes which another parser might read differently. */
export declare const unclear = -2;
/** The length in characters above which a method is left for the parser to refuse. */
export declare const longestMethod = 16;
export declare const CR = 13;
export declare const LF = 10;
export declare const SP = 32;
export declare const COLON = 58;
/** Where the run of token characters that begins at `at` ends (RFC 9110 section 5.6.2). */
export declare function tokenEnd(data: Buffer, at: number): number;
/** Where the line that goes on at `at` ends, its CRLF included (RFC 9112 section 2.2). */
export declare function lineEnd(data: Buffer, at: number): number;
/** Where the CRLF that must be at `at` ends. */
export declare function crlfEnd(data: Buffer, at: number): number;
/** The x of HTTP/1.x when `data` from `at` to `end` is ` target HTTP/1.x` and CRLF (RFC 9112 section 3). */
export declare function httpMinor(data: Buffer, at: number, end: number): 0 | 1 | undefined;
/** The size a chunk's first line gives, extensions left out (RFC 9112 section 7.1). */
export declare function chunkSize(data: Buffer, at: number, end: number): number | undefined;
/** CONNECT turns the connection into a tunnel, PRI begins HTTP/2 (RFC 9113 section 3.4). */
export declare function isTunnel(method: string): boolean;
