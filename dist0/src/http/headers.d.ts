import type { IncomingMessage } from 'node:http';
/** The seconds a client prefers to wait (RFC 7240 section 4.3), 60 at most; a malformed preference is ignored. */
export declare function preferredWait(request: IncomingMessage): number | undefined;
/** The idempotency key of a request, if it has one. Throws `invalid_parameter`. */
export declare function idempotencyKey(request: IncomingMessage): string | undefined;
