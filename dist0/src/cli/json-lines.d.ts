import type { Input } from './io.js';
/** The values of a stream with a line of JSON each; empty lines are skipped. Throws `invalid_parameter`. */
export declare function readJsonLines(stdin: Input): AsyncGenerator<unknown>;
