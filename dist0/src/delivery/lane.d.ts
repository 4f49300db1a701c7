import type { Subscription } from '../domain/subscription.js';
import { type LaneContext } from './context.js';
/**
 * Delivers the events of one subscription in order, one hit at a time, the next only after a verdict on the last is
 * durable (SPEC.md section 6). Asleep, it holds no more than the timer of a retry.
 */
export declare class Lane {
    #private;
    constructor(context: LaneContext, subscription: Subscription, onGone?: (lane: Lane) => void);
    /** The subscription as this lane last saw it. */
    get subscription(): Subscription;
    /** Looks for what is due, now or when the hit in flight is over. */
    wake(): void;
    /** Stops waiting for a retry. */
    sleep(): void;
}
