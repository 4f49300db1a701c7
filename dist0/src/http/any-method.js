import { randomBytes } from 'node:crypto';
import { IncomingMessage, METHODS, maxHeaderSize } from 'node:http';
import { MethodRewriter } from './method-rewriter.js';
/**
 * Teaches `server` any request method of up to 16 token characters (RFC 9110 section 9.1), which
 * node's parser refuses otherwise; call it before the server gets connections.
 *
 * @example
 * const server = http.createServer((request, response) => response.end(request.method))
 * acceptAnyMethod(server)
 *
 * @param now Milliseconds of a clock that only goes forward.
 */
export function acceptAnyMethod(server, now = () => performance.now()) {
    const secret = randomBytes(16).toString('hex');
    const known = new Set(METHODS);
    server.on('connection', socket => {
        const longestLine = headerLimit(server);
        rewriteMethods(server, socket, new MethodRewriter({ known, secret, longestLine }), now);
    });
    restoreMethods(server, secret);
}
function headerLimit(server) {
    return server.maxHeaderSize || maxHeaderSize;
}
/**
 * Puts `rewriter` in front of the listener through which http reads `socket`. Adding a 'data'
 * listener also makes http stop reading from the handle behind the stream's back.
 */
function rewriteMethods(server, socket, rewriter, now) {
    const [parse] = socket.listeners('data');
    if (parse === undefined)
        return;
    const isLate = holdTimer(server, now);
    const hand = (bytes) => {
        if (bytes !== undefined)
            parse.call(socket, bytes);
    };
    const listener = (chunk) => {
        const bytes = rewriter.feed(chunk);
        hand(isLate(bytes === undefined) ? rewriter.release() : bytes);
    };
    socket.prependListener('data', listener);
    socket.removeListener('data', parse);
    // http takes its listener away when a connection is upgraded: this makes it find ours instead.
    Object.assign(listener, { listener: parse });
    socket.prependListener('end', () => hand(rewriter.release()));
}
/** A request line held back is not seen by node's own headersTimeout. */
function holdTimer(server, now) {
    let since;
    return holding => {
        since = holding ? (since ?? now()) : undefined;
        if (since === undefined || server.headersTimeout === 0)
            return false;
        return now() - since > server.headersTimeout;
    };
}
function restoreMethods(server, secret) {
    const emit = server.emit;
    server.emit = (...args) => {
        const request = args[1];
        if (request instanceof IncomingMessage)
            restoreMethod(request, secret);
        return emit.apply(server, args);
    };
}
/** Both header objects are read once while `rawHeaders` is whole: they count its entries. */
function restoreMethod(request, secret) {
    const [name, method] = request.rawHeaders;
    if (name !== secret || method === undefined)
        return;
    delete request.headers[secret];
    delete request.headersDistinct[secret];
    request.rawHeaders.splice(0, 2);
    request.method = method;
}
