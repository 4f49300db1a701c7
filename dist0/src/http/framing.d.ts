/** Collects what a head says about where its message ends (RFC 9112 section 6). */
export declare class Framing {
    #private;
    length: number | undefined;
    chunked: boolean;
    upgrade: boolean;
    reset(): void;
    /** Takes in the header line from `at` to `end`; false when it leaves room for a second opinion. */
    take(data: Buffer, at: number, colon: number, end: number): boolean;
}
