import type { RelayEvent } from '../domain/events.js';
import type { Subscription } from '../domain/subscription.js';
import type { DeliveryStore } from '../services/deliveries.js';
import type { Activity } from './activity.js';
import type { Send, Verdict } from './sender.js';
import { type Timers } from './timers.js';
/** A hit that was made, and what it came to. */
export interface Attempt {
    /** As it was when the hit was made. */
    readonly subscription: Subscription;
    readonly event: RelayEvent;
    readonly verdict: Verdict;
    /** Milliseconds since the epoch. */
    readonly startedAt: number;
    /** Milliseconds since the epoch. */
    readonly endedAt: number;
}
/** What the lanes of a dispatcher share. */
export interface LaneContext {
    readonly store: DeliveryStore;
    readonly send: Send;
    /** Milliseconds since the epoch. */
    readonly now: () => number;
    readonly timers: Timers;
    /** Name of the service in `X-Hook-From`. */
    readonly from: string;
    readonly activity: Activity;
    /** Aborted when no further hit is to be made. */
    readonly stopping: AbortSignal;
    /** Aborted when hits in flight are to end. */
    readonly abandoning: AbortSignal;
    /** Told of each hit when what it came to is recorded. */
    readonly onAttempt: (attempt: Attempt) => void;
    /** Told of what failed on our side and is done again. */
    readonly onTrouble: (error: unknown) => void;
}
/**
 * Does `work` until it succeeds, with growing pauses, since the store may be unavailable for a while. Resolves to
 * undefined when it still fails and the dispatcher is stopping.
 */
export declare function insist<T>(context: Pick<LaneContext, 'timers' | 'stopping' | 'onTrouble'>, work: () => Promise<T>): Promise<T | undefined>;
