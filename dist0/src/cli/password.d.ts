import type { Io } from './io.js';
/** A password from SMSRELAY_PASSWORD, a person, or a pipe; never from an argument, which `ps` shows. Throws `usage`. */
export declare function readPassword(io: Io, json: boolean, twice?: boolean): Promise<string>;
