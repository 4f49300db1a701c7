import type { MessageFields } from '../contract/message.js';
import type { PhoneContext } from './context.js';
/** Asks a relay for messages, one at a time, through its outages. */
export declare class Taker {
    #private;
    constructor(context: PhoneContext);
    /**
     * The next message; undefined when the loop was asked to stop, or in `once` mode nothing is due. Throws
     * RelayError when the relay will never give one.
     */
    take(): Promise<MessageFields | undefined>;
}
