import { Command } from '@oclif/core/command';
import { boolean, string } from '@oclif/core/flags';
import { report, wantsJson } from './failure.js';
import { Interrupted, isBrokenPipe, listenForInterruption, } from './interruption.js';
import { processIo } from './io.js';
import { need } from './prompt.js';
/** Flags of every command. */
const commonFlags = {
    json: boolean({
        description: 'Print JSON on stdout and nothing else, errors included.',
        helpGroup: 'GLOBAL',
    }),
    profile: string({
        description: 'The saved relay and keys to use.',
        env: 'SMSRELAY_PROFILE',
        helpValue: 'NAME',
        helpGroup: 'GLOBAL',
    }),
    help: boolean({ char: 'h', description: 'Show this help.', helpGroup: 'GLOBAL' }),
};
/**
 * What every command shares: one way to print, one way to fail, one way to be interrupted. Data goes to
 * stdout, all else to stderr; exit codes are those of `smsrelay help exit-codes`.
 */
export class BaseCommand extends Command {
    static baseFlags = commonFlags;
    io;
    #interruption;
    constructor(argv, config, io = processIo) {
        super(argv, config);
        this.io = io;
    }
    /** Runs the command to its end; never throws: an error is told and sets the exit code. */
    async execute() {
        await this._run();
    }
    /** Whether the command was asked for JSON. */
    get json() {
        return wantsJson(this.argv);
    }
    /**
     * Aborted by the first Ctrl-C, SIGTERM or SIGHUP and when nobody reads stdout any more; the second signal
     * ends the process with 130. A command that never asks for it is ended by the first.
     */
    get signal() {
        return this.#listen().signal;
    }
    /** Aborted by the second signal, where a command asks for it; then only the third ends the process. */
    get force() {
        return this.#listen().force;
    }
    /** Whether a person or a supervisor asked for the end; not so when the reader of stdout went away. */
    get interrupted() {
        const ended = this.#interruption?.signal;
        return ended?.aborted === true && !isBrokenPipe(ended.reason);
    }
    /** Prints a result: as JSON, or as `human` renders it. */
    show(value, human) {
        this.line(value, human);
    }
    /** Prints one line of a stream: as NDJSON, or as `human` renders it; undefined prints nothing. */
    line(value, human) {
        const text = this.json ? JSON.stringify(value ?? null) : human(value);
        if (text !== undefined)
            this.io.stdout.write(`${text}\n`);
    }
    /** Tells a person something on stderr; silent with `--json`. */
    note(text) {
        if (!this.json)
            this.io.stderr.write(`${text}\n`);
    }
    /** The value, or the answer of a person; a usage error where nobody can be asked. */
    async need(value, question) {
        return await need(value, question, this.io, this.json);
    }
    /** Ends with this code although nothing was thrown. */
    endWith(code) {
        this.io.setExitCode(code);
    }
    /** The parser neither enforces arguments (the command asks) nor reads stdin for them (it gives up after 10 ms). */
    async parse(options, argv) {
        const input = options ?? this.ctor;
        const args = Object.entries(input.args ?? {}).map(([name, arg]) => [
            name,
            { ...arg, required: false, ignoreStdin: true },
        ]);
        const relaxed = {
            args: Object.fromEntries(args),
            ...(input.flags === undefined ? {} : { flags: input.flags }),
            ...(input.baseFlags === undefined ? {} : { baseFlags: input.baseFlags }),
            strict: input.strict ?? true,
        };
        return await super.parse(relaxed, argv);
    }
    async catch(error) {
        this.parsed = true;
        const ended = this.#interruption?.signal;
        if (ended?.aborted !== true)
            return await report(error, this.io, this.json);
        const reason = ended.reason;
        if (!isBrokenPipe(reason))
            await report(new Interrupted(), this.io, this.json);
    }
    async finally() {
        this.#interruption?.dispose();
    }
    #listen() {
        this.#interruption ??= listenForInterruption(this.io);
        return this.#interruption;
    }
}
