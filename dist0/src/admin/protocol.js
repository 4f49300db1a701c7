import { createInterface } from 'node:readline';
import { RelayError } from '../errors.js';
const verbs = new Set([
    'createAccount',
    'listAccounts',
    'showAccount',
    'changeAccount',
    'rotateKeys',
    'setPassword',
    'deleteAccount',
    'listBlocked',
    'addBlocked',
    'removeBlocked',
]);
/** Answers administration requests on a socket, in order: one line of JSON `[verb, ...arguments]`, one line back. */
export function serveAdministration(administration, socket) {
    const lines = createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY });
    let answered = Promise.resolve();
    lines.on('line', line => {
        answered = answered.then(async () => {
            const reply = await answer(administration, line);
            if (socket.writable)
                socket.write(toLine(reply));
        });
    });
    // readline passes on errors of the socket: a client that hangs up must not end the service.
    lines.on('error', () => socket.destroy());
}
/** Administration through the process that holds the data directory. */
export function remoteAdministration(socket) {
    const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
    const ask = async (verb, ...parameters) => {
        if (!socket.writable)
            throw gone();
        socket.write(toLine([verb, ...parameters]));
        const line = await lines.next().catch(cause => {
            throw gone(cause);
        });
        if (line.done === true)
            throw gone();
        const { error, result } = JSON.parse(line.value);
        if (error === undefined)
            return result;
        throw new RelayError(error.code, error.message, error.hint === undefined ? {} : { hint: error.hint });
    };
    const close = async () => {
        socket.destroy();
    };
    const asked = [...verbs].map(verb => [
        verb,
        (...parameters) => ask(verb, ...parameters),
    ]);
    return { ...Object.fromEntries(asked), close };
}
async function answer(administration, line) {
    try {
        const [verb, ...parameters] = toRequest(line);
        const call = administration[verb];
        return { result: await call(...parameters) };
    }
    catch (error) {
        return { error: describe(error) };
    }
}
function toRequest(line) {
    try {
        const request = JSON.parse(line);
        if (Array.isArray(request) && verbs.has(request[0]))
            return request;
    }
    catch {
        // Not JSON: not a request either.
    }
    throw new RelayError('invalid_request', 'A request is a line of JSON: [verb, ...arguments].');
}
/** readline also ends lines at U+2028 and U+2029, which JSON leaves as they are. */
function toLine(value) {
    const escaped = JSON.stringify(value).replace(/[\u2028\u2029]/g, end => end === '\u2028' ? '\\u2028' : '\\u2029');
    return `${escaped}\n`;
}
function gone(cause) {
    return new RelayError('unavailable', 'The service stopped meanwhile.', { cause });
}
function describe(error) {
    if (!(error instanceof RelayError)) {
        return { code: 'internal_error', message: 'The service failed at this request.' };
    }
    const { code, message, hint } = error;
    return { code, message, ...(hint === undefined ? {} : { hint }) };
}
