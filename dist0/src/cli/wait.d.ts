import type { RelayClient } from '../client/relay-client.js';
import type { MessageFields } from '../contract/message.js';
/** The part of a client that waiting needs. */
type Reader = Pick<RelayClient, 'getMessage'>;
/** How to wait. */
export interface WaitOptions {
    readonly signal: AbortSignal;
    /** Milliseconds; for ever when left out. */
    readonly timeout?: number | undefined;
    /** Milliseconds between two looks. @default 500 */
    readonly interval?: number;
    /** Looks in a row that may fail, such as while the service restarts. @default 20 */
    readonly patience?: number;
}
/**
 * Looks at a message until it is final; a message that is gone was deleted. Throws `timed_out` with the
 * message's id, and the abort reason of `signal`.
 */
export declare function waitUntilFinal(client: Reader, message: MessageFields, options: WaitOptions): Promise<MessageFields>;
export {};
