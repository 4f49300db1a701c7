import { setTimeout as sleep } from 'node:timers/promises';
/** The {@link Pause} of the real clock. */
export async function pause(milliseconds, signal) {
    try {
        await sleep(milliseconds, undefined, signal === undefined ? {} : { signal });
    }
    catch {
        // Aborted: the wait is over.
    }
}
