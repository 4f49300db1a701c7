import { type Change, type Message } from './message.js';
/** What an account wants of a message whose outcome nobody knows (DESIGN: leases). */
export type DeliveryMode = 'at-least-once' | 'at-most-once';
/** Both {@link DeliveryMode}s. */
export declare const deliveryModes: readonly ['at-least-once', 'at-most-once'];
/** Who reports, when, and under which idempotency key. */
export interface Reporter {
    /** Identifier of the reporting token. */
    readonly holder: string;
    /** Milliseconds since the epoch. */
    readonly now: number;
    readonly key?: string;
}
/** A success report: the number of parts that were needed. */
export interface Success {
    readonly parts: number;
}
/** A failure report: what telephony said, and whether it is known that nothing was sent. */
export interface Failure {
    readonly error: string;
    readonly outcome: 'failed' | 'unknown';
}
/**
 * Decides a success report: N or E becomes S and fires message.sent; the same report again changes nothing.
 * Throws `invalid_state` (SPEC.md section 3).
 */
export declare function reportSuccess(message: Message, report: Success, by: Reporter): Change;
/**
 * Decides a failure report: one more failure gives E and a later retry, the fifth gives F and fires
 * message.failed; an unknown outcome locks the message in at-most-once mode. Throws `invalid_state`
 * (SPEC.md section 3).
 */
export declare function reportFailure(message: Message, report: Failure, by: Reporter, mode: DeliveryMode): Change;
