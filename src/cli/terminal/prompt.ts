import { RelayError } from '../../errors.js'
import { Interrupted } from './interruption.js'
import type { Io } from './io.js'

/** A value that a command needs. */
export interface Question {
  /** How it is typed on the command line: `ID`, `--url`. */
  readonly name: string
  /** How a person is asked for it. */
  readonly message: string
  /** Offered as the answer. */
  readonly default?: string
  /** The answer is not shown. */
  readonly secret?: boolean
  /** No answer is an answer. */
  readonly optional?: boolean
  /** Told when nobody can be asked. */
  readonly hint?: string
}

/** Whether there is somebody to ask: both ends are terminals, and no program reads the answer. */
export function canAsk(io: Io, json: boolean): boolean {
  return !json && io.stdin.isTTY === true && io.stderr.isTTY === true
}

/** The value, or a person's answer where there is none. Throws `usage` where nobody can be asked. */
export async function requireValue(
  value: string | undefined,
  question: Question,
  io: Io,
  json: boolean,
): Promise<string> {
  if (value !== undefined) return value
  if (canAsk(io, json)) return await ask(question, io)
  throw new RelayError('usage', `${question.name} is missing.`, {
    hint: question.hint ?? 'See --help.',
  })
}

/** Asks a person on stderr. Throws {@link Interrupted} at Ctrl-C. */
export async function ask(question: Question, io: Io): Promise<string> {
  const answer = await prompt(io, {
    ...(question.secret === true ? { type: 'password', mask: '*' } : { type: 'input' }),
    ...(question.default === undefined ? {} : { default: question.default }),
    message: question.message,
    validate: (text: string) =>
      question.optional === true || text !== '' || 'An answer is needed here.',
  })
  return String(answer)
}

/** Asks yes or no; no is the default. */
export async function confirm(message: string, io: Io): Promise<boolean> {
  return (await prompt(io, { type: 'confirm', message, default: false })) === true
}

/** Asks for one of a few. */
export async function choose(message: string, choices: readonly string[], io: Io): Promise<string> {
  return String(await prompt(io, { type: 'select', message, choices: [...choices] }))
}

type PromptQuestion = Record<string, unknown> & { type: string; message: string }

async function prompt(io: Io, question: PromptQuestion): Promise<unknown> {
  const { createPromptModule } = (await import('inquirer')).default
  const run = createPromptModule({
    input: io.stdin as NodeJS.ReadStream,
    output: io.stderr as NodeJS.WriteStream,
  })
  try {
    const answers = await run<Record<string, unknown>>([{ ...question, name: 'answer' } as never])
    return answers.answer
  } catch (error) {
    throw error instanceof Error && error.name === 'ExitPromptError' ? new Interrupted() : error
  }
}
