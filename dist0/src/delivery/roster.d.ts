import type { EventName } from '../domain/events.js';
import type { Subscription } from '../domain/subscription.js';
import type { Lane } from './lane.js';
/** The lanes of a dispatcher, found by account. */
export declare class Roster {
    #private;
    /** Every lane. */
    all(): Lane[];
    /** The lanes of an account. */
    of(account: string): Lane[];
    /** The lanes of an account that one of these events concerns. */
    concerned(account: string, events: readonly EventName[]): Lane[];
    /** Whether the subscription has a lane. */
    has({ account, id }: Subscription): boolean;
    /** Adds a lane. */
    add(lane: Lane): void;
    /** Removes a lane. */
    remove(lane: Lane): void;
}
