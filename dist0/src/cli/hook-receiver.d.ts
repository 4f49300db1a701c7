/** A request that arrived, as it was. */
export interface Hit {
    readonly method: string;
    /** Path and query, as in the request line. */
    readonly url: string;
    readonly headers: Readonly<Record<string, string | string[] | undefined>>;
    readonly body: string;
}
/** A server that takes hits until it is closed. */
export interface Receiver {
    /** `http://HOST:PORT`. */
    readonly url: string;
    /** Answers what is in hand and stops. */
    close(): Promise<void>;
}
/** Where to listen, and what to do with each hit; `onHit` says whether anybody waits for it. */
export interface ReceiverOptions {
    readonly host: string;
    /** 0 picks a free one. */
    readonly port: number;
    readonly onHit: (hit: Hit) => Promise<boolean>;
}
/** Starts a server that answers hits of any method with 200, and others with 404. Throws `configuration`. */
export declare function startReceiver(options: ReceiverOptions): Promise<Receiver>;
