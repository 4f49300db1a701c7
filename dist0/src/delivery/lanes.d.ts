import type { Subscription } from '../domain/subscription.js';
import { type Notice } from '../services/deliveries.js';
import { type LaneContext } from './context.js';
/** A lane for each subscription, following what the store tells. */
export declare class Lanes {
    #private;
    constructor(context: LaneContext);
    /** Starts a lane for each of these subscriptions that has none. */
    adopt(subscriptions: readonly Subscription[]): void;
    /** Wakes the lanes that a notice concerns, and looks for new and removed subscriptions where it may mean some. */
    follow(notice: Notice): void;
    /** Makes every lane stop waiting for its retry. */
    sleep(): void;
}
