import { RelayError } from '../../errors.js'
import { Interrupted } from './interruption.js'
import type { Io } from './io.js'

export interface Question {
  readonly name: string
  readonly message: string
  readonly default?: string
  readonly secret?: boolean
  readonly optional?: boolean
  /** Next step in the error if the terminal cannot prompt. */
  readonly hint?: string
}

export function canAsk(io: Io, json: boolean): boolean {
  return !json && io.stdin.isTTY === true && io.stderr.isTTY === true
}

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

export async function ask(question: Question, io: Io): Promise<string> {
  const answer = await prompt(io, {
    ...(question.secret === true ? { type: 'password', mask: '*' } : { type: 'input' }),
    ...(question.default === undefined ? {} : { default: question.default }),
    message: question.message,
    validate: (text: string) => question.optional === true || text !== '' || 'Type a value.',
  })
  return String(answer)
}

export async function confirm(message: string, io: Io): Promise<boolean> {
  return (await prompt(io, { type: 'confirm', message, default: false })) === true
}

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
