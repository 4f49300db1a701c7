import { type Change, type Message } from './message.js';
import type { DeliveryMode } from './report.js';
/** Who asks for the next message, when, and how long it may keep it. */
export interface Claim {
    /** Identifier of the claiming token. */
    readonly holder: string;
    /** Milliseconds since the epoch. */
    readonly now: number;
    /** Length of the lease in milliseconds. */
    readonly lease: number;
    readonly mode: DeliveryMode;
}
/** A decision on a candidate of NEXT: `given` when the claimer gets it. */
export interface Claimed extends Change {
    readonly given: boolean;
}
/**
 * Decides whether a due message goes to the claimer: a listed number is blocked instead, a message whose
 * lease ended unreported is locked in at-most-once mode (DESIGN: leases).
 */
export declare function claim(message: Message, by: Claim, facts: {
    blocked: boolean;
}): Claimed;
/**
 * Decides what becomes of a lease that ended unreported: in at-most-once mode the message is locked for a
 * person to decide, otherwise it is simply available again.
 */
export declare function lapse(message: Message, now: number, mode: DeliveryMode): Change;
/** Blacklists a message and fires message.blocked (SPEC.md sections 3 and 6). */
export declare function block(message: Message, now: number): Change;
