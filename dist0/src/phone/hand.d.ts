import type { MessageFields } from '../contract/message.js';
import type { PhoneContext } from './context.js';
import type { PhoneResult } from './events.js';
/** The message in hand: attempts it, reports it, and counts what became of it. */
export declare class Hand {
    #private;
    constructor(context: PhoneContext);
    /** Identifier of the message in hand. */
    get holds(): string | undefined;
    /** What was done so far. */
    get result(): PhoneResult;
    /** Does all that is to be done for a message; throws when the relay does not accept the keys any more. */
    settle(message: MessageFields): Promise<void>;
    /**
     * Reports what an earlier run did not get to report; a stop ends it, for the outcomes stay in the journal. Throws
     * when the relay does not accept the keys any more.
     */
    resume(): Promise<void>;
}
