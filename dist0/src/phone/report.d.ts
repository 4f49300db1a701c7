import type { MessageFields } from '../contract/message.js';
import { type RelayError } from '../errors.js';
import type { Known } from './attempt-book.js';
import type { PhoneContext } from './context.js';
/** What became of a report: taken by the relay (with the message as it then is), refused for good, or never delivered. */
export type Delivery = {
    readonly report: 'taken';
    readonly message: MessageFields;
} | {
    readonly report: 'refused';
    readonly error: RelayError;
} | {
    readonly report: 'abandoned';
    readonly error: unknown;
};
/**
 * Reports an outcome until the relay answers, under the idempotency key of its attempt. Only a forced stop, which leaves one last
 * try, ends it before; or keys that no longer open the relay.
 */
export declare function report(known: Known, context: PhoneContext): Promise<Delivery>;
