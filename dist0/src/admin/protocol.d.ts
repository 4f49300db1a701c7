import type { Socket } from 'node:net';
import type { Administration } from './administration.js';
/** A verb of {@link Administration} that can be asked over a socket. */
export type Verb = Exclude<keyof Administration, 'close'>;
/** Answers administration requests on a socket, in order: one line of JSON `[verb, ...arguments]`, one line back. */
export declare function serveAdministration(administration: Administration, socket: Socket): void;
/** Administration through the process that holds the data directory. */
export declare function remoteAdministration(socket: Socket): Administration;
