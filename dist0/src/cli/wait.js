import { setTimeout as delay } from 'node:timers/promises';
import { isRelayError, RelayError } from '../errors.js';
import { withSignal } from '../util/with-signal.js';
const final = ['S', 'F', 'B', 'D'];
/**
 * Looks at a message until it is final; a message that is gone was deleted. Throws `timed_out` with the
 * message's id, and the abort reason of `signal`.
 */
export async function waitUntilFinal(client, message, options) {
    const late = new AbortController();
    const timer = options.timeout === undefined ? undefined : setTimeout(() => late.abort(), options.timeout);
    let last = message;
    try {
        return await withSignal([options.signal, late.signal], async (signal) => {
            for await (last of looks(client, message, { ...options, signal })) {
                // Until it is final.
            }
            return last;
        });
    }
    catch (error) {
        options.signal.throwIfAborted();
        throw late.signal.aborted ? timedOut(last, options.timeout ?? 0) : error;
    }
    finally {
        clearTimeout(timer);
    }
}
/** The message as it is at each look, until it is final. */
async function* looks(client, message, { signal, interval = 500, patience = 20 }) {
    let last = message;
    let failures = 0;
    while (!final.includes(last.status)) {
        await delay(interval, undefined, { signal });
        try {
            last = await look(client, last, signal);
            failures = 0;
            yield last;
        }
        catch (error) {
            failures += 1;
            if (signal.aborted || !isPassing(error) || failures > patience)
                throw error;
        }
    }
}
async function look(client, last, signal) {
    try {
        return await client.getMessage(last.id, { signal });
    }
    catch (error) {
        if (isRelayError(error, 'not_a_message'))
            return { ...last, status: 'D' };
        throw error;
    }
}
function isPassing(error) {
    const codes = ['unreachable', 'unavailable', 'timed_out', 'too_many_requests'];
    return codes.some(code => isRelayError(error, code));
}
function timedOut(message, timeout) {
    return new RelayError('timed_out', `Message ${message.id} was not final after ${timeout / 1000} s; its status is ${message.status}.`, { hint: `See \`smsrelay message get ${message.id}\`.` });
}
