import type { PhoneEvent } from './events.js';
/**
 * Makes one phone of several loops for those who look on: they are ready with the first of them, idle when all are,
 * offline or in trouble from the first to the last, and stopping once, save that each message in hand is told.
 */
export declare function mergeEvents(loops: number, onEvent: (event: PhoneEvent) => void): (worker: number, event: PhoneEvent) => void;
