import { request as httpRequest, } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { urlToHttpOptions } from 'node:url';
/** Bytes of an answer's body that are read; a longer one ends the connection. */
const bodyLimit = 8 * 1024;
/**
 * Makes a hit over node:http and resolves to the status of the answer when its body has been read or cut off. Throws
 * what went wrong before there was a status.
 */
export async function exchange(hit, options) {
    const { signal } = options;
    for (;;) {
        signal.throwIfAborted();
        const request = open(hit, options);
        const abort = () => void request.destroy(signal.reason);
        signal.addEventListener('abort', abort);
        try {
            return await answerTo(request, hit.body);
        }
        catch (error) {
            if (!isStale(request, error))
                throw error;
        }
        finally {
            signal.removeEventListener('abort', abort);
        }
    }
}
function open(hit, options) {
    const url = new URL(hit.url);
    const secure = url.protocol === 'https:';
    const { hostname, port } = urlToHttpOptions(url);
    const { method, target: path, headers } = hit;
    const settings = { hostname, port, method, path, headers, agent: options.agent };
    const request = (secure ? httpsRequest : httpRequest)(settings);
    // node:http puts methods in capitals, but they are case-sensitive (RFC 9110 section 9.1).
    request.method = method;
    request.once('socket', socket => {
        if (request.reusedSocket)
            options.connected();
        else
            socket.once(secure ? 'secureConnect' : 'connect', options.connected);
    });
    return request;
}
async function answerTo(request, body) {
    const answer = await new Promise((resolve, reject) => {
        request.on('error', reject);
        request.once('response', resolve);
        // Answers after which the connection is no longer HTTP: to CONNECT, and 101.
        for (const event of ['connect', 'upgrade']) {
            request.once(event, (message, socket) => {
                socket.destroy();
                message.destroy();
                resolve(message);
            });
        }
        request.end(body);
    });
    await read(answer);
    return answer.statusCode ?? 0;
}
/** Reads the body to its end, the limit or an error: the verdict stands with the status. */
async function read(answer) {
    if (answer.destroyed)
        return;
    let size = 0;
    answer.on('error', () => { });
    answer.on('data', (chunk) => {
        size += chunk.length;
        if (size > bodyLimit)
            answer.destroy();
    });
    await new Promise(resolve => answer.once('close', resolve));
}
/** Whether a kept connection was closed by the receiver before it could read this request. */
function isStale(request, error) {
    const code = error.code;
    return request.reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE');
}
