import type { LookupFunction } from 'node:net';
import type { Hit } from './hit.js';
import { type Timers } from './timers.js';
/** What a hit came to: `ok` when the receiver answered 2xx (README: open details). */
export interface Verdict {
    readonly ok: boolean;
    /** Of the receiver's answer, when there was one. */
    readonly status?: number;
    /** One sentence on what was wrong, when it was not ok. */
    readonly error?: string;
}
/** Makes a hit; never throws, and is over soon after the signal is aborted. */
export type Send = (hit: Hit, signal: AbortSignal) => Promise<Verdict>;
/** A {@link Send} with connections of its own. */
export interface Sender {
    readonly send: Send;
    /** Ends the connections that are kept open for later hits. */
    close(): void;
}
/** Options of {@link createSender}. */
export interface SenderOptions {
    /** @default the real clock's */
    readonly timers?: Timers;
    /** Finds the addresses of a host name: the place to refuse some. @default the system's */
    readonly lookup?: LookupFunction;
    /** Milliseconds a connection may take, name look-up and TLS included. @default 5000 */
    readonly connectTimeout?: number;
    /** Milliseconds the whole answer may take. @default 15000 */
    readonly answerTimeout?: number;
}
/**
 * Makes a {@link Sender} on node:http, since fetch refuses logins and undici both refuses CONNECT and drops
 * `Content-Length: 0` from methods it takes to have no body.
 */
export declare function createSender(options?: SenderOptions): Sender;
