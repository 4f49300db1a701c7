/** Waits for so many milliseconds, or until the signal is aborted; never rejects. */
export type Pause = (milliseconds: number, signal?: AbortSignal) => Promise<void>;
/** The {@link Pause} of the real clock. */
export declare function pause(milliseconds: number, signal?: AbortSignal): Promise<void>;
