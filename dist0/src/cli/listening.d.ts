import { type EventHit, type SessionOptions } from './hook-session.js';
/** Why listening ended. */
export type EndReason = 'count' | 'max-wait' | 'stopped';
/** How listening went. */
export interface ListeningResult {
    readonly reason: EndReason;
    readonly hits: number;
    /** Identifiers of subscriptions that could not be removed. */
    readonly left: readonly string[];
}
/** What to listen to, until when, and whom to tell. */
export interface ListeningOptions extends Omit<SessionOptions, 'url'> {
    readonly host: string;
    readonly port: number;
    /** Address at which the relay reaches the receiver. @default the receiver's own */
    readonly publicUrl?: string | undefined;
    /** Aborted when somebody stops it. */
    readonly signal: AbortSignal;
    /** Hits to wait for. */
    readonly count?: number | undefined;
    /** Milliseconds to wait at most. */
    readonly maxWait?: number | undefined;
    /** Told once the relay's hits can arrive. */
    readonly onReady: (url: string) => void;
    /** Told of each hit, never before `onReady`. */
    readonly onHit: (hit: EventHit) => void;
}
/** Receives hits by temporary subscriptions, which are gone at the end, whatever the end. */
export declare function listenForHits(options: ListeningOptions): Promise<ListeningResult>;
