import { waitFor } from './timers.js';
const firstPause = 250;
const longestPause = 30_000;
/**
 * Does `work` until it succeeds, with growing pauses, since the store may be unavailable for a while. Resolves to
 * undefined when it still fails and the dispatcher is stopping.
 */
export async function insist(context, work) {
    for (let pause = firstPause;; pause = Math.min(pause * 2, longestPause)) {
        try {
            return await work();
        }
        catch (error) {
            context.onTrouble(error);
        }
        if (context.stopping.aborted)
            return undefined;
        await waitFor(context.timers, pause, context.stopping);
    }
}
