import type { EventName } from './events.js';
/** A subscription as kept, with its place in the order of events (SPEC.md section 2.3). */
export interface Subscription {
    readonly id: string;
    readonly account: string;
    readonly event: EventName;
    readonly url: string;
    readonly method: string;
    readonly post: boolean;
    readonly triggered: number;
    /** Milliseconds since the epoch. */
    readonly createdAt: number;
    /** The last event that was delivered or given up: later events still have to be. */
    readonly cursor: number;
    /** The event now being tried again, when its first hit failed. */
    readonly trying?: Trying;
}
/** A delivery that has failed at least once and is tried again. */
export interface Trying {
    readonly seq: number;
    readonly attempts: number;
    /** Milliseconds since the epoch. */
    readonly firstAt: number;
    /** Milliseconds since the epoch. */
    readonly retryAt: number;
}
/** Waits before each retry of a hit, in milliseconds; the last repeats. */
export declare const hitRetryDelays: readonly number[];
/** How long a hit is tried in all, in milliseconds. */
export declare const hitPatience: number;
/** The subscription after a hit that counts: the event is done, and counted if this was its first hit. */
export declare function hitSucceeded(subscription: Subscription, seq: number): Subscription;
/**
 * The subscription after a hit that failed: it is tried again after the next delay of
 * {@link hitRetryDelays}, and given up after {@link hitPatience}.
 */
export declare function hitFailed(subscription: Subscription, seq: number, now: number): Subscription;
