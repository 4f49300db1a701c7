import { type Collections } from './collections.js';
/** What is wrong at a line of a file. */
export interface Damage {
    readonly path: string;
    /** Counted from 1. */
    readonly line: number;
    /** `torn`: the end of the last file, cut short when the service stopped; no reply depended on it. */
    readonly kind: 'damaged' | 'torn';
    readonly bytes: number;
}
/** What was found in a data directory. */
export interface Inspection {
    readonly files: readonly {
        readonly path: string;
        readonly lines: number;
    }[];
    readonly damages: readonly Damage[];
    /** Everything in whole lines. */
    readonly data: Collections;
}
/** Reads everything in a data directory that is whole, and notes what is not. Changes nothing. */
export declare function inspectData(directory: string): Promise<Inspection>;
/** Applies what a line says to the collections. */
export declare function applyEntries(data: Collections, value: unknown): void;
