import { Command } from '@oclif/core/command'
import type { Config } from '@oclif/core/config'
import { boolean, string } from '@oclif/core/flags'
import type { Input, ParserOutput } from '@oclif/core/interfaces'
import {
  Interrupted,
  type Interruption,
  isBrokenPipe,
  listenForInterruption,
} from '../terminal/interruption.js'
import { type Io, processIo } from '../terminal/io.js'
import { type Question, requireValue } from '../terminal/prompt.js'
import { hasJsonFlag, reportError } from './report-error.js'

/** Parsed flags or arguments by name. */
type NamedValues = Record<string, unknown>

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
}

/**
 * What every command shares: one way to print, one way to fail, one way to be interrupted. Data goes to
 * stdout, all else to stderr; exit codes are those of `smsrelay help exit-codes`.
 */
export abstract class BaseCommand extends Command {
  static override baseFlags = commonFlags

  protected readonly io: Io
  #interruption: Interruption | undefined

  constructor(argv: string[], config: Config, io: Io = processIo) {
    super(argv, config)
    this.io = io
  }

  /** Runs the command to its end; never throws: an error is told and sets the exit code. */
  async execute(): Promise<void> {
    await this._run()
  }

  /** Whether the command was asked for JSON. */
  protected get json(): boolean {
    return hasJsonFlag(this.argv)
  }

  /**
   * Aborted by the first Ctrl-C, SIGTERM or SIGHUP and when nobody reads stdout any more; the second signal
   * ends the process with 130. A command that never asks for it is ended by the first.
   */
  protected get signal(): AbortSignal {
    return this.#listen().signal
  }

  /** Aborted by the second signal, where a command asks for it; then only the third ends the process. */
  protected get forceSignal(): AbortSignal {
    return this.#listen().force
  }

  /** Whether a person or a supervisor asked for the end; not so when the reader of stdout went away. */
  protected get isInterrupted(): boolean {
    const ended = this.#interruption?.signal
    return ended?.aborted === true && !isBrokenPipe(ended.reason)
  }

  /** Prints a result: as JSON, or as `human` renders it. */
  protected print<T>(value: T, human: (value: T) => string): void {
    this.printLine(value, human)
  }

  /** Prints one line of a stream: as NDJSON, or as `human` renders it; undefined prints nothing. */
  protected printLine<T>(value: T, human: (value: T) => string | undefined): void {
    const text = this.json ? JSON.stringify(value ?? null) : human(value)
    if (text !== undefined) this.io.stdout.write(`${text}\n`)
  }

  /** Tells a person something on stderr; silent with `--json`. */
  protected printNote(text: string): void {
    if (!this.json) this.io.stderr.write(`${text}\n`)
  }

  /** The value, or the answer of a person; a usage error where nobody can be asked. */
  protected async requireValue(value: string | undefined, question: Question): Promise<string> {
    return await requireValue(value, question, this.io, this.json)
  }

  /** Ends with this code although nothing was thrown. */
  protected setExitCode(code: number): void {
    this.io.setExitCode(code)
  }

  /** The parser neither enforces arguments (the command asks) nor reads stdin for them (it gives up after 10 ms). */
  protected override async parse<
    F extends NamedValues,
    B extends NamedValues,
    A extends NamedValues,
  >(options?: Input<F, B, A>, argv?: string[]): Promise<ParserOutput<F, B, A>> {
    const input = options ?? (this.ctor as Input<F, B, A>)
    const args = Object.entries(input.args ?? {}).map(([name, arg]) => [
      name,
      { ...arg, required: false, ignoreStdin: true },
    ])
    const relaxed = {
      args: Object.fromEntries(args),
      ...(input.flags === undefined ? {} : { flags: input.flags }),
      ...(input.baseFlags === undefined ? {} : { baseFlags: input.baseFlags }),
      strict: input.strict ?? true,
    }
    return await super.parse(relaxed as Input<F, B, A>, argv)
  }

  protected override async catch(error: unknown): Promise<void> {
    this.parsed = true
    const ended = this.#interruption?.signal
    if (ended?.aborted !== true) return await reportError(error, this.io, this.json)
    const reason: unknown = ended.reason
    if (!isBrokenPipe(reason)) await reportError(new Interrupted(), this.io, this.json)
  }

  protected override async finally(): Promise<void> {
    this.#interruption?.dispose()
  }

  #listen(): Interruption {
    this.#interruption ??= listenForInterruption(this.io)
    return this.#interruption
  }
}
