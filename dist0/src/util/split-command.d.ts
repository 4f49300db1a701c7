/**
 * Splits a command line into program and arguments as a POSIX shell reads quotes and backslashes; nothing else of
 * a shell is known: no variables, no `~`, no pipes. Throws `usage` when a quote is left open.
 */
export declare function splitCommand(command: string): string[];
