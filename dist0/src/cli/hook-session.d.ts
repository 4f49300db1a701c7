import type { RelayClient } from '../client/relay-client.js';
import type { EventName } from '../domain/events.js';
import type { Hit } from './hook-receiver.js';
/** The part of a client that a session needs. */
type Subscriber = Pick<RelayClient, 'createSubscription' | 'deleteSubscription'>;
/** A hit of a session's subscription. */
export interface EventHit extends Hit {
    readonly event: string;
    readonly message: {
        readonly id: string | null;
    };
}
/** How to subscribe. */
export interface SessionOptions {
    readonly client: Subscriber;
    readonly events: readonly string[];
    /** Address at which the relay reaches the receiver. */
    readonly url: string;
    readonly method?: string;
    readonly post?: boolean;
}
/** The relay says which events there are; the list can grow, so any name goes to it (SPEC.md section 9). */
export declare function eventName(name: string): EventName;
/** Temporary subscriptions, each with a path of its own: a hit does not name its event. */
export declare class HookSession {
    #private;
    constructor(options: SessionOptions);
    /** Makes the subscriptions; after an error, {@link end} removes those that were made. */
    begin(signal: AbortSignal): Promise<void>;
    /** The event and message of a hit; undefined when it is not of this session. */
    read(hit: Hit): EventHit | undefined;
    /** Removes the subscriptions; returns the identifiers of those that could not be removed. */
    end(): Promise<readonly string[]>;
}
export {};
