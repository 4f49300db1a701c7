import { setMaxListeners } from 'node:events';
import { Activity } from './activity.js';
import { Lanes } from './lanes.js';
import { createSender } from './sender.js';
import { realTimers } from './timers.js';
/** Makes a {@link Dispatcher} with a lane for each subscription; a lane that waits does not hold up the others. */
export function createDispatcher(options) {
    const { store, now = Date.now, timers = realTimers, from = 'smsrelay', grace = 5000 } = options;
    const { onAttempt = () => { }, onTrouble = () => { } } = options;
    const sender = createSender({ timers });
    const send = options.send ?? sender.send;
    const activity = new Activity();
    const stop = new AbortController();
    const abandon = new AbortController();
    setMaxListeners(0, stop.signal, abandon.signal);
    const context = {
        ...{ store, send, now, timers, from, activity, onAttempt, onTrouble },
        stopping: stop.signal,
        abandoning: abandon.signal,
    };
    const lanes = new Lanes(context);
    let unwatch = () => { };
    return {
        async start() {
            unwatch = store.watch(notice => lanes.follow(notice));
            lanes.adopt(await store.subscriptions.list());
        },
        async stop() {
            unwatch();
            stop.abort();
            lanes.sleep();
            const cancel = timers.after(grace, () => abandon.abort());
            await activity.idle();
            cancel();
            sender.close();
        },
        async idle() {
            await activity.idle();
        },
    };
}
