import type { MessageFields } from '../contract/message.js';
import type { PhoneContext } from './context.js';
import type { Outcome, Trouble } from './outcome.js';
/** Whether a message goes to a test number, so that no driver is called (DESIGN: test numbers). */
export declare function isTest(message: MessageFields): boolean;
/** Tries to send a message, once: by the driver, or by the fixed outcome of a test number. Never rejects. */
export declare function attempt(message: MessageFields, context: PhoneContext): Promise<Outcome | Trouble>;
