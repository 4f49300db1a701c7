import type { IncomingMessage } from 'node:http';
/** The address a request was sent to, by its Host header; undefined where that is not a plain host and port. */
export declare function baseAddress(request: IncomingMessage): string | undefined;
