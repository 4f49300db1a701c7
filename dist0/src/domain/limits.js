/** The limits of the interface (SPEC.md section 8) and of this service where the interface is silent. */
export const limits = {
    /** Characters (code points) of a message's text. */
    text: 1600,
    /** Characters of a destination as given. */
    destination: 64,
    /** Characters of a subscription's URL. */
    url: 1024,
    /** Characters of a subscription's method. */
    method: 16,
    listDefault: 50,
    listMost: 100,
    /** Characters of an error message that are kept. */
    errorMessage: 1000,
    /** Characters of an idempotency key. */
    idempotencyKey: 255,
    /** Bytes of a request body. */
    body: 256 * 1024,
    /** Bytes of a request body that comes without a token. */
    openBody: 8 * 1024,
};
/** The connection limits unless told. A proxy's own idle time is best shorter: 60 s is usual. */
export const connectionLimits = {
    headTimeout: 15_000,
    requestTimeout: 60_000,
    idleTimeout: 65_000,
    replyTimeout: 60_000,
    connections: 2048,
    pipelined: 100,
    head: 16 * 1024,
};
