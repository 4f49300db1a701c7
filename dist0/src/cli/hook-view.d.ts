import type { EventHit } from './hook-session.js';
/** A hit on one line, for people. */
export declare function hitLine(hit: EventHit & {
    readonly time: string;
}): string;
