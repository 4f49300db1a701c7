import type { PhoneClient, PhoneContext } from './context.js';
import type { Driver } from './driver.js';
import type { PhoneEvent, PhoneResult } from './events.js';
import { type Journal } from './journal.js';
/** What {@link runPhone} works with; the loop owns none of it and disposes of nothing. */
export interface PhoneOptions {
    /** Signed in with the application key; each loop needs a client, and so a token, of its own. */
    readonly client: PhoneClient;
    readonly driver: Driver;
    /** Told of everything that happens; must not throw. */
    readonly onEvent?: (event: PhoneEvent) => void;
    /** When aborted, the loop ends after the message in hand was sent and reported. */
    readonly stop?: AbortSignal;
    /** When aborted, the driver is told to give up and a report gets one last try of at most 5 s. */
    readonly force?: AbortSignal;
    /** Ends after one message, or at once when nothing is due. @default false */
    readonly once?: boolean;
    /** Seconds a NEXT waits for a message to fall due. @default 25 */
    readonly wait?: number;
    /** Loops in one process share one. @default a new one in memory */
    readonly journal?: Journal;
    /** @default the real clock */
    readonly pause?: PhoneContext['pause'];
    /** @default Math.random */
    readonly random?: PhoneContext['random'];
    /** @default performance.now */
    readonly now?: PhoneContext['now'];
    /** Ends once what an earlier run left is reported. @default false */
    readonly drain?: boolean;
    /** Makes the idempotency key of a report. @default crypto.randomUUID */
    readonly createKey?: PhoneContext['createKey'];
}
/**
 * The phone's work: NEXT, send, report, for ever, after what an earlier run has left. It outlives a relay that is away, never asks for another message
 * while an outcome is unreported, and sends no message again that it has sent. Throws RelayError when the keys do not
 * open the relay, and in `once` mode when the relay cannot be asked.
 */
export declare function runPhone(options: PhoneOptions): Promise<PhoneResult>;
