import type { RequestListener, Server, ServerOptions, ServerResponse } from 'node:http';
import type { ConnectionLimits } from '../domain/limits.js';
/** The limits that node keeps itself; a waiting NEXT is a request whose end was seen, so none of them ends it. */
export declare function serverOptions(limits: ConnectionLimits): ServerOptions;
/** A server whose replies can be looked through. */
export type ReplyingServer = Server & {
    readonly responses: ReadonlySet<ServerResponse>;
};
/** Keeps the number of connections, and the time a client takes to read a reply, within limits. */
export declare function limitConnections(server: ReplyingServer, limits: ConnectionLimits, now?: () => number): void;
/** Hands requests on until a connection has too many in hand: that one gets 429, and is closed. */
export declare function limitPipelining(handler: RequestListener, most: number): RequestListener;
