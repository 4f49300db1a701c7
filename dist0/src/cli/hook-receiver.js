import { once } from 'node:events';
import { createServer } from 'node:http';
import { RelayError } from '../errors.js';
import { acceptAnyMethod } from '../http/any-method.js';
const bodyLimit = 1024 * 1024;
/** Starts a server that answers hits of any method with 200, and others with 404. Throws `configuration`. */
export async function startReceiver(options) {
    const server = createServer((request, response) => {
        answer(request, response, options).catch(() => request.destroy());
    });
    acceptAnyMethod(server);
    await listen(server, options);
    const { port } = server.address();
    const host = options.host.includes(':') ? `[${options.host}]` : options.host;
    return { url: `http://${host}:${port}`, close: () => close(server) };
}
async function answer(request, response, { onHit }) {
    const body = await readBody(request);
    const { method = '', url = '', headers } = request;
    const known = body !== undefined && (await onHit({ method, url, headers, body }));
    response.statusCode = known ? 200 : body === undefined ? 413 : 404;
    response.setHeader('content-type', 'text/plain');
    response.end(known ? 'ok\n' : 'no\n');
}
async function readBody(request) {
    const chunks = [];
    let size = 0;
    for await (const chunk of request) {
        size += chunk.length;
        if (size <= bodyLimit)
            chunks.push(chunk);
    }
    return size > bodyLimit ? undefined : Buffer.concat(chunks).toString('utf8');
}
async function listen(server, { host, port }) {
    server.listen({ host, port });
    try {
        await once(server, 'listening');
    }
    catch (cause) {
        const code = cause instanceof Error && 'code' in cause ? cause.code : cause;
        throw new RelayError('configuration', `Cannot listen on ${host}, port ${port} (${code}).`, {
            hint: 'Choose another with --host and --port; --port 0 picks a free one.',
            cause,
        });
    }
}
async function close(server) {
    const closed = once(server, 'close');
    server.close();
    server.closeIdleConnections();
    const late = setTimeout(() => server.closeAllConnections(), 2000);
    await closed;
    clearTimeout(late);
}
