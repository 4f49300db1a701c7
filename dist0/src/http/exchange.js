/** Sends a JSON body with its length. */
export function sendJson(response, status, value) {
    const body = Buffer.from(JSON.stringify(value));
    response.statusCode = status;
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', body.length);
    response.end(body);
}
/** The value of a path parameter. */
export function param(request, name) {
    const value = request.params[name];
    return typeof value === 'string' ? value : '';
}
