import { type Status } from '../../domain/message.js';
/**
 * The ids of one account's messages in order of creation, with counts of each status per block of
 * {@link blockSize}, so that a page of any filter is found without reading what lies before it.
 */
export declare class RankedList {
    #private;
    /** Adds an id at the end and returns its place. */
    append(id: string, status: Status): number;
    /** Puts an id with its status at a place. */
    set(place: number, id: string, status: Status): void;
    /** Empties a place. */
    clear(place: number): void;
    /** Every id, in order. */
    ids(): string[];
    /** At most `count` ids of those statuses, from the `start`-th on. */
    page(statuses: readonly Status[], start: number, count: number, order: 'asc' | 'desc'): string[];
}
