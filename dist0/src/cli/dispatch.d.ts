import type { Io } from './io.js';
/**
 * Finds what a command line means and does it: oclif loads and parses commands, but its own way in prints
 * internals on errors and loads everything twice.
 */
export declare function dispatch(argv: readonly string[], root: string, io: Io): Promise<void>;
