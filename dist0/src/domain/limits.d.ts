/** The limits of the interface (SPEC.md section 8) and of this service where the interface is silent. */
export declare const limits: {
    /** Characters (code points) of a message's text. */
    readonly text: 1600;
    /** Characters of a destination as given. */
    readonly destination: 64;
    /** Characters of a subscription's URL. */
    readonly url: 1024;
    /** Characters of a subscription's method. */
    readonly method: 16;
    readonly listDefault: 50;
    readonly listMost: 100;
    /** Characters of an error message that are kept. */
    readonly errorMessage: 1000;
    /** Characters of an idempotency key. */
    readonly idempotencyKey: 255;
    /** Bytes of a request body. */
    readonly body: number;
    /** Bytes of a request body that comes without a token. */
    readonly openBody: number;
};
/** What one client may take of the service's connections. Times in milliseconds. */
export interface ConnectionLimits {
    /** Longest from the first byte of a request, or the connection, to the end of its head. */
    readonly headTimeout: number;
    /** Longest from the first byte of a request to the end of its body. */
    readonly requestTimeout: number;
    /** Longest that a connection is kept with no request on it. */
    readonly idleTimeout: number;
    /** Longest that a client may take to read a finished reply. */
    readonly replyTimeout: number;
    /** Connections at once; more are closed as they come. */
    readonly connections: number;
    /** Requests in hand at once on one connection. */
    readonly pipelined: number;
    /** Bytes of a request's head. */
    readonly head: number;
}
/** The connection limits unless told. A proxy's own idle time is best shorter: 60 s is usual. */
export declare const connectionLimits: ConnectionLimits;
