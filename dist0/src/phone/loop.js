import { pause } from '../util/pause.js';
import { Hand } from './hand.js';
import { memoryJournal } from './journal.js';
import { Outage } from './outage.js';
import { Taker } from './take.js';
/**
 * The phone's work: NEXT, send, report, for ever, after what an earlier run has left. It outlives a relay that is away, never asks for another message
 * while an outcome is unreported, and sends no message again that it has sent. Throws RelayError when the keys do not
 * open the relay, and in `once` mode when the relay cannot be asked.
 */
export async function runPhone(options) {
    const stopped = new AbortController();
    const context = createContext(options, stopped.signal);
    const hand = new Hand(context);
    const stop = () => {
        if (stopped.signal.aborted)
            return;
        context.emit({ event: 'stopping', ...(hand.holds === undefined ? {} : { id: hand.holds }) });
        stopped.abort();
    };
    const signals = [options.stop, options.force].filter(each => each !== undefined);
    for (const signal of signals)
        signal.addEventListener('abort', stop, { once: true });
    try {
        if (signals.some(signal => signal.aborted))
            stop();
        await hand.resume();
        if (options.drain !== true)
            await work(context, hand);
        return hand.result;
    }
    finally {
        for (const signal of signals)
            signal.removeEventListener('abort', stop);
    }
}
async function work(context, hand) {
    const taker = new Taker(context);
    do {
        const message = await taker.take();
        if (message !== undefined)
            await hand.settle(message);
    } while (!context.once && !context.stop.aborted);
}
function createContext(options, stop) {
    const clock = { pause: options.pause ?? pause, random: options.random ?? Math.random };
    return {
        ...clock,
        client: options.client,
        driver: options.driver,
        journal: options.journal ?? memoryJournal(),
        emit: options.onEvent ?? (() => { }),
        relay: new Outage(clock),
        gateway: new Outage(clock),
        stop,
        force: options.force ?? new AbortController().signal,
        once: options.once ?? false,
        wait: options.wait ?? 25,
        now: options.now ?? (() => performance.now()),
        createKey: options.createKey ?? (() => crypto.randomUUID()),
    };
}
