// The base of every command.
//
// 1. `program/` loads one command class and calls `execute()`.
// 2. `parse` (here) reads flags, also from the environment (`environment-flags`), and arguments;
//    `requireValue` asks for missing ones.
// 3. `run` of the command does the work. `api-command` gives it a client of the relay.
// 4. `print`, `printLine` and `printNote` print: text for people, JSON with --json. A command that
//    lists or shows things prints with `openPrinter` (see `output/`), in the format of its flags.
// 5. `report-error` prints an error, wherever it was thrown, and sets the exit code.
//
// `signal` aborts the work at Ctrl-C. `arguments` defines arguments that a command asks for.
import { once } from 'node:events'
import { Command } from '@oclif/core/command'
import type { Config } from '@oclif/core/config'
import { boolean, string } from '@oclif/core/flags'
import type { Input, ParserOutput } from '@oclif/core/interfaces'
import { type ErrorCode, isRelayError } from '../../errors.js'
import { chooseOutput } from '../output/choose-output.js'
import type { Column } from '../output/column.js'
import type { OutputFlags } from '../output/output-flags.js'
import { RecordPrinter } from '../output/record-printer.js'
import {
  endSignals,
  Interrupted,
  type Interruption,
  isBrokenPipe,
  listenForInterruption,
} from '../terminal/interruption.js'
import { type EndSignal, type Io, print, processIo } from '../terminal/io.js'
import { type Question, requireValue } from '../terminal/prompt.js'
import { formatJson } from '../terminal/terminal-text.js'
import { applyEnvironment, explainFlagError, splitRepeatedValues } from './environment-flags.js'
import { hasJsonFlag, hasJsonOutput, reportError } from './report-error.js'

type NamedValues = Record<string, unknown>

const commonFlags = {
  json: boolean({
    description: 'Print only JSON on stdout, errors included.',
    env: 'SMSRELAY_JSON',
    exclusive: ['output'],
    helpGroup: 'GLOBAL',
  }),
  profile: string({
    description: 'Saved relay and keys to use.',
    env: 'SMSRELAY_PROFILE',
    helpValue: 'NAME',
    helpGroup: 'GLOBAL',
  }),
  help: boolean({
    char: 'h',
    description: 'Show help.',
    env: 'SMSRELAY_HELP',
    helpGroup: 'GLOBAL',
  }),
}

/** The next command after an error without a hint. */
const listCommands: Readonly<Partial<Record<ErrorCode, string>>> = {
  not_a_message: 'Type: smsrelay message list --filter all',
  not_a_subscription: 'Type: smsrelay hook list',
  not_an_account: 'Type: smsrelay account list',
}

/** Fields of an error's JSON by the argument that names the thing. */
const subjectFields: Readonly<Record<string, string>> = {
  ID: 'id',
  SUBSCRIPTION: 'id',
  EMAIL: 'email',
  NUMBER: 'number',
}

export abstract class BaseCommand extends Command {
  static override baseFlags = commonFlags

  protected readonly io: Io
  /** A command's debug output is off: oclif's own would load a package for one line. */
  protected override debug = (): void => undefined
  #interruption: Interruption | undefined
  #subject: Readonly<Record<string, string>> = {}

  constructor(argv: string[], config: Config, io: Io = processIo) {
    super(argv, config)
    this.io = io
  }

  async execute(): Promise<void> {
    await this._run()
  }

  /** oclif would load modules to warn of deprecated commands, which we do not have. */
  protected override async init(): Promise<void> {}

  protected get json(): boolean {
    const hasOutputFlag = Object.hasOwn(this.ctor.flags ?? {}, 'output')
    const find = hasOutputFlag ? hasJsonOutput : hasJsonFlag
    return find(this.argv, this.io.env)
  }

  /**
   * Aborted by the first Ctrl-C, SIGTERM or SIGHUP, and when the reader of stdout closes the pipe;
   * the second signal ends the process with 130. Unless a command reads it, the first one does.
   */
  protected get signal(): AbortSignal {
    return this.#listen().signal
  }

  /**
   * Aborted by the second Ctrl-C or signal; if a command reads it, only the third ends the process.
   */
  protected get forceSignal(): AbortSignal {
    return this.#listen().force
  }

  protected get endSignals(): readonly EndSignal[] {
    return endSignals
  }

  protected get isInterrupted(): boolean {
    const signal = this.#interruption?.signal
    return signal?.aborted === true && !isBrokenPipe(signal.reason)
  }

  protected print<T>(value: T, format: (value: T) => string): void {
    this.printLine(value, format)
  }

  /** Prints one line of a command's output; if `format` returns undefined, only --json prints. */
  protected printLine<T>(value: T, format: (value: T) => string | undefined): void {
    const text = this.json ? formatJson(value ?? null) : format(value)
    if (text !== undefined) print(this.io.stdout, `${text}\n`, this.io.env)
  }

  /**
   * Makes the printer of a command that lists or shows things. Call it before the first request,
   * because it checks the output flags. Throws `usage`.
   */
  protected async openPrinter<T>(
    flags: OutputFlags,
    columns: readonly Column<T>[],
  ): Promise<RecordPrinter<T>> {
    return new RecordPrinter(await chooseOutput(flags, columns), this.io)
  }

  /** Writes to stdout and waits while its buffer is full. Throws when the command is aborted. */
  protected async writeChunk(text: string): Promise<void> {
    const { signal } = this
    signal.throwIfAborted()
    const { stdout, env } = this.io
    const isWritten = stdout.isTTY === true ? print(stdout, text, env) : stdout.write(text)
    if (!isWritten) await once(this.io.stdout, 'drain', { signal })
  }

  protected printNote(text: string): void {
    if (!this.json) print(this.io.stderr, `${text}\n`, this.io.env)
  }

  /** A command's argument, or the answer to a question. Throws `usage` where nobody can answer. */
  protected async requireValue(value: string | undefined, question: Question): Promise<string> {
    const given = await requireValue(value, question, this.io, this.json)
    const field = subjectFields[question.name]
    if (field !== undefined) this.#subject = { [field]: given }
    return given
  }

  protected setExitCode(code: number): void {
    this.io.setExitCode(code)
  }

  /**
   * Stops oclif from requiring a command's arguments, because the command asks for them, and from
   * reading them from stdin, where it waits only 10 ms. It requires those before repeated ones.
   * Flags come from the environment too.
   */
  protected override async parse<
    F extends NamedValues,
    B extends NamedValues,
    A extends NamedValues,
  >(options?: Input<F, B, A>, argv?: string[]): Promise<ParserOutput<F, B, A>> {
    const input = options ?? (this.ctor as Input<F, B, A>)
    const entries = Object.entries(input.args ?? {})
    const last = entries.findIndex(([, arg]) => arg.multiple === true)
    const args = entries.map(([name, arg], at) => [
      name,
      { ...arg, required: at < last, ignoreStdin: true },
    ])
    const definitions = applyEnvironment(
      { ...input.baseFlags, ...input.flags },
      argv ?? this.argv,
      this.io.env,
    )
    const relaxed = {
      args: Object.fromEntries(args),
      flags: definitions,
      strict: input.strict ?? true,
    }
    const output = await super.parse(relaxed as Input<F, B, A>, argv)
    return { ...output, flags: splitRepeatedValues(output.flags, definitions) }
  }

  protected override async catch(error: unknown): Promise<void> {
    this.parsed = true
    const signal = this.#interruption?.signal
    if (signal?.aborted !== true) {
      return await reportError(this.#explainError(error), this.io, this.json)
    }
    if (isBrokenPipe(signal.reason)) return
    const interrupted = error instanceof Interrupted ? error : new Interrupted()
    await reportError(interrupted, this.io, this.json)
  }

  protected override async finally(): Promise<void> {
    this.#interruption?.dispose()
  }

  #explainError(error: unknown): unknown {
    if (!isRelayError(error)) return error
    const { baseFlags, flags } = this.ctor
    const known = error.copyWith({
      fields: { ...this.#subject, ...error.fields },
      hint: error.hint ?? listCommands[error.code],
    })
    return explainFlagError(known, { ...baseFlags, ...flags }, this.argv, this.io.env)
  }

  #listen(): Interruption {
    this.#interruption ??= listenForInterruption(this.io, this.endSignals)
    return this.#interruption
  }
}
