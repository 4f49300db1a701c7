/** The address a request was sent to, by its Host header; undefined where that is not a plain host and port. */
export function baseAddress(request) {
    const host = request.headers.host;
    if (host === undefined || !/^[A-Za-z0-9.\-_]+(:\d+)?$|^\[[0-9A-Fa-f:.]+\](:\d+)?$/.test(host)) {
        return undefined;
    }
    const encrypted = request.socket.encrypted === true;
    return `${encrypted ? 'https' : 'http'}://${host}`;
}
