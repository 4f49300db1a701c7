import { memoryJournal } from './journal.js';
import { runPhone } from './loop.js';
import { mergeEvents } from './merge-events.js';
/** {@link Journals} that a crash forgets. */
export function memoryJournals() {
    const journal = memoryJournal();
    return { worker: () => journal, left: () => [] };
}
/**
 * Runs loops side by side as one phone: each has a message in hand at a time, and all stop when one of them cannot
 * go on. Throws what {@link runPhone} throws.
 */
export async function runPhones({ createClient, concurrency = 1, journals = memoryJournals(), onEvent = () => { }, ...shared }) {
    const ended = new AbortController();
    const stop = () => ended.abort();
    shared.stop?.addEventListener('abort', stop, { once: true });
    if (shared.stop?.aborted === true)
        stop();
    const working = Array.from({ length: concurrency }, (_, worker) => worker);
    const drained = journals.left().filter(worker => worker >= concurrency);
    const workers = [...working, ...drained];
    const emit = mergeEvents(concurrency, onEvent);
    const run = async (worker) => await runPhone({
        ...shared,
        client: await createClient(worker),
        journal: journals.worker(worker),
        drain: worker >= concurrency,
        stop: ended.signal,
        onEvent: event => emit(worker, event),
    });
    try {
        return total(await allOrNone(workers.map(run), stop));
    }
    finally {
        shared.stop?.removeEventListener('abort', stop);
    }
}
/** Waits for all; the first that fails has the others stopped, and is thrown when they have ended. */
async function allOrNone(runs, stop) {
    const failures = [];
    const watched = runs.map(run => run.catch(error => {
        failures.push(error);
        stop();
    }));
    await Promise.all(watched);
    if (failures.length > 0)
        throw failures[0];
    return await Promise.all(runs);
}
function total(results) {
    const sum = (name) => results.reduce((all, result) => all + result[name], 0);
    const trouble = results.map(result => result.trouble).find(each => each !== undefined);
    return {
        handled: sum('handled'),
        sent: sum('sent'),
        failed: sum('failed'),
        unknown: sum('unknown'),
        unreported: sum('unreported'),
        ...(trouble === undefined ? {} : { trouble }),
    };
}
