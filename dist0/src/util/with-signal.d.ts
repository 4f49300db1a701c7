import type { Pause } from './pause.js';
/**
 * Does work under a signal of its own that is aborted with any of the given ones. A signal that lives for weeks
 * keeps nothing of the work, which `AbortSignal.any` does not promise on every Node 20.
 */
export declare function withSignal<T>(signals: readonly AbortSignal[], work: (signal: AbortSignal) => Promise<T>): Promise<T>;
/** Does work under a signal that is aborted so many milliseconds after another one was. */
export declare function withGrace<T>(signal: AbortSignal, milliseconds: number, pause: Pause, work: (late: AbortSignal) => Promise<T>): Promise<T>;
