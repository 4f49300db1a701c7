/** The limits that node keeps itself; a waiting NEXT is a request whose end was seen, so none of them ends it. */
export function serverOptions(limits) {
    return {
        headersTimeout: limits.headTimeout,
        requestTimeout: limits.requestTimeout,
        keepAliveTimeout: limits.idleTimeout,
        maxHeaderSize: limits.head,
        connectionsCheckingInterval: checkEvery(limits),
    };
}
/** Keeps the number of connections, and the time a client takes to read a reply, within limits. */
export function limitConnections(server, limits, now = () => performance.now()) {
    server.maxConnections = limits.connections;
    const since = new WeakMap();
    const check = () => {
        for (const response of server.responses) {
            if (!isStuck(response))
                continue;
            const began = since.get(response) ?? now();
            since.set(response, began);
            if (now() - began >= limits.replyTimeout)
                response.socket?.destroy();
        }
    };
    let timer;
    server.on('listening', () => {
        timer = setInterval(check, checkEvery(limits)).unref();
    });
    server.on('close', () => clearInterval(timer));
}
/** Hands requests on until a connection has too many in hand: that one gets 429, and is closed. */
export function limitPipelining(handler, most) {
    const inHand = new WeakMap();
    return (request, response) => {
        const { socket } = request;
        const count = (inHand.get(socket) ?? 0) + 1;
        // After the one that was refused nothing more is answered, so nothing more may be done.
        inHand.set(socket, count > most ? Number.POSITIVE_INFINITY : count);
        if (count > most) {
            refuse(response, most);
            return;
        }
        response.once('close', () => inHand.set(socket, (inHand.get(socket) ?? 1) - 1));
        handler(request, response);
    };
}
/** Whether a reply is finished, first in the line of its connection, and not taken by the client. */
function isStuck({ writableEnded, writableFinished, socket }) {
    return writableEnded && !writableFinished && socket !== null && socket.writableLength > 0;
}
function checkEvery({ headTimeout, replyTimeout, requestTimeout }) {
    return Math.min(1000, headTimeout, replyTimeout, requestTimeout);
}
function refuse(response, most) {
    const body = {
        error: 'too_many_requests',
        error_description: `A connection may have ${most} requests in hand; wait for replies before sending more.`,
    };
    response.writeHead(429, {
        'Content-Type': 'application/json; charset=utf-8',
        'Retry-After': '1',
        Connection: 'close',
    });
    response.end(JSON.stringify(body));
}
