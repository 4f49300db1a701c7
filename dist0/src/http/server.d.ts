import { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Express } from 'express';
import { type ConnectionLimits } from '../domain/limits.js';
/** Where to listen. */
export interface Address {
    readonly host: string;
    /** 0 picks a free port. */
    readonly port: number;
}
/** A server that knows what it has in hand, so that it can end soon without cutting anything off. */
export declare class RelayServer extends Server {
    /** The open connections, each with the replies it still owes. */
    readonly owed: Map<Socket, Set<ServerResponse<IncomingMessage>>>;
    /** Every reply that is owed. */
    get responses(): ReadonlySet<ServerResponse>;
    /** Lets every connection end with the reply in hand; those that never asked anything end now. */
    drain(): void;
}
/**
 * A server for an Express app that takes any request method. Requests and responses are born with the
 * app's prototypes: Express would otherwise change them on each request, which costs most of its speed.
 */
export declare function createHttpServer(app: Express, limits?: ConnectionLimits): RelayServer;
/** Listens; resolves to the port. Throws `configuration` for an address that cannot be had. */
export declare function listen(server: Server, { host, port }: Address): Promise<number>;
/** Stops listening, and waits for the requests in hand; after `grace` milliseconds they are cut off. */
export declare function close(server: RelayServer, grace: number): Promise<void>;
