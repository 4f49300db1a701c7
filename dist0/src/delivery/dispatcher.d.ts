import type { DeliveryStore } from '../services/deliveries.js';
import type { Attempt } from './context.js';
import { type Send } from './sender.js';
import { type Timers } from './timers.js';
/** Options of {@link createDispatcher}. */
export interface DispatcherOptions {
    readonly store: DeliveryStore;
    /** Makes the hits. @default over HTTP, with connections that `stop` ends */
    readonly send?: Send;
    /** Milliseconds since the epoch. @default Date.now */
    readonly now?: () => number;
    /** @default the real clock's */
    readonly timers?: Timers;
    /** What `X-Hook-From` says. @default smsrelay */
    readonly from?: string;
    /** Milliseconds that hits in flight are given when the dispatcher stops. @default 5000 */
    readonly grace?: number;
    /** Told of each hit when what it came to is recorded. */
    readonly onAttempt?: (attempt: Attempt) => void;
    /** Told of what failed on our side and is done again. */
    readonly onTrouble?: (error: unknown) => void;
}
/** Delivers recorded events to subscriptions, from `start` to `stop` (SPEC.md section 6). */
export interface Dispatcher {
    /** Takes up every stored subscription where it was left, and those created later. */
    start(): Promise<void>;
    /** Makes no further hit, and resolves when nothing runs any more; what was not delivered is after the next start. */
    stop(): Promise<void>;
    /** Resolves when no event is due. */
    idle(): Promise<void>;
}
/** Makes a {@link Dispatcher} with a lane for each subscription; a lane that waits does not hold up the others. */
export declare function createDispatcher(options: DispatcherOptions): Dispatcher;
