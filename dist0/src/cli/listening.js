import { once } from 'node:events';
import { withSignal } from '../util/with-signal.js';
import { startReceiver } from './hook-receiver.js';
import { HookSession } from './hook-session.js';
/** Receives hits by temporary subscriptions, which are gone at the end, whatever the end. */
export async function listenForHits(options) {
    const full = new AbortController();
    const begun = new AbortController();
    let session;
    let hits = 0;
    const receiver = await startReceiver({
        host: options.host,
        port: options.port,
        onHit: async (hit) => {
            await aborted(begun.signal);
            const read = session?.read(hit);
            if (read === undefined || full.signal.aborted)
                return false;
            hits += 1;
            options.onHit(read);
            if (hits === options.count)
                full.abort();
            return true;
        },
    });
    const url = options.publicUrl ?? receiver.url;
    session = new HookSession({ ...options, url });
    let reason = 'stopped';
    let left = [];
    try {
        await session.begin(options.signal);
        options.onReady(url);
        begun.abort();
        reason = await untilEnd(options, full.signal);
    }
    finally {
        begun.abort();
        await receiver.close();
        left = await session.end();
    }
    return { reason, hits, left };
}
/** Waits until enough hits have come, the time is over or somebody stops it. */
async function untilEnd({ signal, maxWait }, full) {
    const late = new AbortController();
    const timer = maxWait === undefined ? undefined : setTimeout(() => late.abort(), maxWait);
    await withSignal([signal, full, late.signal], aborted);
    clearTimeout(timer);
    if (full.aborted)
        return 'count';
    return signal.aborted ? 'stopped' : 'max-wait';
}
async function aborted(signal) {
    if (!signal.aborted)
        await once(signal, 'abort');
}
