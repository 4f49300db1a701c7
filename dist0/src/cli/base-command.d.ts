import { Command } from '@oclif/core/command';
import type { Config } from '@oclif/core/config';
import type { Input, ParserOutput } from '@oclif/core/interfaces';
import { type Io } from './io.js';
import { type Question } from './prompt.js';
/** Parsed flags or arguments by name. */
type Named = Record<string, unknown>;
/**
 * What every command shares: one way to print, one way to fail, one way to be interrupted. Data goes to
 * stdout, all else to stderr; exit codes are those of `smsrelay help exit-codes`.
 */
export declare abstract class BaseCommand extends Command {
    #private;
    static baseFlags: {
        json: import("@oclif/core/interfaces").BooleanFlag<boolean>;
        profile: import("@oclif/core/interfaces").OptionFlag<string | undefined, import("@oclif/core/interfaces").CustomOptions>;
        help: import("@oclif/core/interfaces").BooleanFlag<boolean>;
    };
    protected readonly io: Io;
    constructor(argv: string[], config: Config, io?: Io);
    /** Runs the command to its end; never throws: an error is told and sets the exit code. */
    execute(): Promise<void>;
    /** Whether the command was asked for JSON. */
    protected get json(): boolean;
    /**
     * Aborted by the first Ctrl-C, SIGTERM or SIGHUP and when nobody reads stdout any more; the second signal
     * ends the process with 130. A command that never asks for it is ended by the first.
     */
    protected get signal(): AbortSignal;
    /** Aborted by the second signal, where a command asks for it; then only the third ends the process. */
    protected get force(): AbortSignal;
    /** Whether a person or a supervisor asked for the end; not so when the reader of stdout went away. */
    protected get interrupted(): boolean;
    /** Prints a result: as JSON, or as `human` renders it. */
    protected show<T>(value: T, human: (value: T) => string): void;
    /** Prints one line of a stream: as NDJSON, or as `human` renders it; undefined prints nothing. */
    protected line<T>(value: T, human: (value: T) => string | undefined): void;
    /** Tells a person something on stderr; silent with `--json`. */
    protected note(text: string): void;
    /** The value, or the answer of a person; a usage error where nobody can be asked. */
    protected need(value: string | undefined, question: Question): Promise<string>;
    /** Ends with this code although nothing was thrown. */
    protected endWith(code: number): void;
    /** The parser neither enforces arguments (the command asks) nor reads stdin for them (it gives up after 10 ms). */
    protected parse<F extends Named, B extends Named, A extends Named>(options?: Input<F, B, A>, argv?: string[]): Promise<ParserOutput<F, B, A>>;
    protected catch(error: unknown): Promise<void>;
    protected finally(): Promise<void>;
}
export {};
