import type { Input } from './io.js';
/** The whole of piped text without the one line end that a shell puts behind it. Throws `usage`. */
export declare function readText(stdin: Input): Promise<string>;
/** The argument, or for `-` and, behind a pipe, for nothing what is piped in; undefined where there is neither. */
export declare function readPiped(argument: string | undefined, stdin: Input): Promise<string | undefined>;
