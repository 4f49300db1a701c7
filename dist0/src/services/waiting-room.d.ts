import type { ServiceContext } from './context.js';
/** Where requests wait for a message of their account to become due; one is woken for each that does. */
export declare class WaitingRoom {
    #private;
    constructor(context: ServiceContext);
    /** Wakes the longest waiting of an account when a message is due, and otherwise when the next one will be. */
    wake(account: string): void;
    /**
     * Resolves to true when it is worth asking again, to false when the signal was aborted or the room
     * closed; at the latest at `deadline` (milliseconds since the epoch).
     */
    wait(account: string, deadline: number, signal?: AbortSignal): Promise<boolean>;
    /** Ends every wait, now and from now on. */
    close(): void;
}
