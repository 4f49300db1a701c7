/**
 * Follows one connection's requests from line to line and body to body (RFC 9112), and gives up on
 * anything that a parser could frame in another way.
 */
export declare class RequestTracker {
    #private;
    /** Method of the request line last met, empty until its end was seen. */
    method: string;
    /** Whether a request line comes next. */
    get betweenRequests(): boolean;
    /**
     * Says that the parser is about to be given a new piece. After an upgrade that nobody took up,
     * node drops the rest of the piece and goes on with the next one.
     */
    nextPiece(): void;
    /** Returns where the line or body part at `at` ends, or that this is incomplete or unclear. */
    advance(data: Buffer, at: number): number;
}
