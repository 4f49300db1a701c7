import type { Io } from './io.js';
/** A value that a command needs. */
export interface Question {
    /** How it is typed on the command line: `ID`, `--url`. */
    readonly name: string;
    /** How a person is asked for it. */
    readonly message: string;
    /** Offered as the answer. */
    readonly default?: string;
    /** The answer is not shown. */
    readonly secret?: boolean;
    /** No answer is an answer. */
    readonly optional?: boolean;
    /** Told when nobody can be asked. */
    readonly hint?: string;
}
/** Whether there is somebody to ask: both ends are terminals, and no program reads the answer. */
export declare function canAsk(io: Io, json: boolean): boolean;
/** The value, or a person's answer where there is none. Throws `usage` where nobody can be asked. */
export declare function need(value: string | undefined, question: Question, io: Io, json: boolean): Promise<string>;
/** Asks a person on stderr. Throws {@link Interrupted} at Ctrl-C. */
export declare function ask(question: Question, io: Io): Promise<string>;
/** Asks yes or no; no is the default. */
export declare function confirm(message: string, io: Io): Promise<boolean>;
/** Asks for one of a few. */
export declare function choose(message: string, choices: readonly string[], io: Io): Promise<string>;
