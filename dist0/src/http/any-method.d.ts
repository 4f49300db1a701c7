import { type Server } from 'node:http';
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
export declare function acceptAnyMethod(server: Server, now?: () => number): void;
