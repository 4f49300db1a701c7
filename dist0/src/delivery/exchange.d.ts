import { type Agent as HttpAgent } from 'node:http';
import type { Hit } from './hit.js';
/** What an exchange needs beside its hit. */
export interface ExchangeOptions {
    readonly agent: HttpAgent;
    /** Ends the exchange, which then throws the signal's reason. */
    readonly signal: AbortSignal;
    /** Called when the connection stands. */
    readonly connected: () => void;
}
/**
 * Makes a hit over node:http and resolves to the status of the answer when its body has been read or cut off. Throws
 * what went wrong before there was a status.
 */
export declare function exchange(hit: Hit, options: ExchangeOptions): Promise<number>;
