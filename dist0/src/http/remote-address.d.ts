import type { IncomingMessage } from 'node:http';
/** Whom a request is from, for counting: an IPv4 address or an IPv6 /64. */
export type RemoteOf = (request: IncomingMessage) => string;
/**
 * Tells whom a request is from: the connection's other end, or with `trustProxy` what the proxy there added to
 * `X-Forwarded-For`, its last entry, since all before it is the client's own word.
 *
 * @param warn told once when a proxy seems to be there that is not trusted
 */
export declare function remoteAddresses(trustProxy: boolean, warn?: (sentence: string) => void): RemoteOf;
