import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { exchange } from './exchange.js';
import { realTimers } from './timers.js';
/** Shorter than the 5 s after which many servers hang up on an idle connection. */
const idleConnection = 4000;
/** Milliseconds until the next of a host's addresses is tried; Node's 250 is too short for far ones. */
const addressTimeout = 1000;
/**
 * Makes a {@link Sender} on node:http, since fetch refuses logins and undici both refuses CONNECT and drops
 * `Content-Length: 0` from methods it takes to have no body.
 */
export function createSender(options = {}) {
    const { timers = realTimers, lookup, connectTimeout = 5000, answerTimeout = 15_000 } = options;
    const settings = {
        keepAlive: true,
        timeout: idleConnection,
        autoSelectFamilyAttemptTimeout: addressTimeout,
        ...(lookup && { lookup }),
    };
    const plain = new Agent(settings);
    const secure = new SecureAgent(settings);
    const send = async (hit, signal) => {
        const ending = new AbortController();
        const end = (why) => () => ending.abort(new Error(why));
        const connected = timers.after(connectTimeout, end(`no connection within ${connectTimeout} ms`));
        const answered = timers.after(answerTimeout, end(`no answer within ${answerTimeout} ms`));
        const abort = end('given up because the service is stopping');
        signal.addEventListener('abort', abort);
        if (signal.aborted)
            abort();
        try {
            const agent = hit.url.startsWith('https:') ? secure : plain;
            return verdictOn(await exchange(hit, { agent, signal: ending.signal, connected }));
        }
        catch (error) {
            return { ok: false, error: sentence(error) };
        }
        finally {
            connected();
            answered();
            signal.removeEventListener('abort', abort);
        }
    };
    const close = () => {
        plain.destroy();
        secure.destroy();
    };
    return { send, close };
}
function verdictOn(status) {
    if (status >= 200 && status < 300)
        return { ok: true, status };
    return { ok: false, status, error: `The receiver answered ${status}.` };
}
function sentence(error) {
    const { message = '', code = '' } = error;
    return `The hit failed: ${message || code || String(error)}.`;
}
