import type { EventName, RelayEvent } from '../../domain/events.js';
/** The recorded events of each account and name, in order. */
export declare class EventIndex {
    #private;
    /** The highest sequence number given so far. */
    get last(): number;
    /** Makes later sequence numbers higher than `seq`. */
    startAfter(seq: number): void;
    /** Follows an event that was recorded or removed. */
    changed(before: RelayEvent | undefined, after: RelayEvent | undefined): void;
    /** At most `count` events after `seq`. */
    after(account: string, event: EventName, seq: number, count: number): RelayEvent[];
}
