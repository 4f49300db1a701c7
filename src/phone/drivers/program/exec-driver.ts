import { RelayError } from '../../../errors.js'
import { splitCommand } from '../../../util/text/shell-words.js'
import { type Driver, DriverError, type DriverMessage } from '../../driver-port/driver.js'
import {
  type DriverOptions,
  parseNumberOption,
  requireOption,
} from '../../driver-port/driver-options.js'
import { getLastOutput, removeOwnVariables } from './external-program.js'
import { type ProgramResult, runProgram } from './run-program.js'

/** Names of the options of {@link createExecDriver}. */
export const execOptions = ['command', 'timeout'] as const

/** What the exec driver uses of the world. */
export interface ExecContext {
  /** Handed to the program, but for everything that begins with SMSRELAY_. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * A driver that runs a program for each text, never through a shell: `command` is split into words and gets the
 * destination and the text as two more arguments, and as SMSRELAY_DESTINATION and SMSRELAY_TEXT (with SMSRELAY_ID) in
 * its environment. A text may begin with `-`: end the command with `--` for a program that would take it for an
 * option. Exit 0 means sent, with the number of parts as the first line of stdout if it likes; any other status means
 * not sent, for the reason on stderr. After `timeout` seconds (@default 60), or when a signal ends it, nobody knows
 * whether it was sent. The timeout is best kept below the relay's lease (120 s). Throws `usage`.
 */
export function createExecDriver(options: DriverOptions, context: ExecContext): Driver {
  const example = `--command '/usr/local/bin/send-sms --'`
  const words = splitCommand(requireOption(options, 'command', example))
  const seconds = { min: 0.1, max: 3600, unit: 'seconds' }
  const timeout = (parseNumberOption(options, 'timeout', seconds) ?? 60) * 1000
  const [program, ...given] = words
  if (program === undefined || program === '') {
    throw new RelayError('usage', 'The command names no program.')
  }
  const inherited = removeOwnVariables(context.env)
  return {
    name: 'exec',
    async send(message, signal) {
      const args = [...given, message.destination, message.text]
      const env = { ...inherited, ...toEnvironment(message) }
      return toReceipt(await runProgram({ program, args, env, timeout, signal }))
    },
    async [Symbol.asyncDispose]() {},
  }
}

function toEnvironment({ id, destination, text }: DriverMessage): Record<string, string> {
  return { SMSRELAY_ID: id, SMSRELAY_DESTINATION: destination, SMSRELAY_TEXT: text }
}

function toReceipt(ended: ProgramResult): { parts?: number } {
  const said = getLastOutput(ended.stderr)
  if (ended.by === 'exit' && ended.status === 0) return parsePartCount(ended.stdout)
  if (ended.by === 'exit') throw new DriverError('retry', said || `exit status ${ended.status}`)
  const what = ended.by === 'signal' ? `killed by ${ended.signal}` : ended.reason
  throw new DriverError('unknown', said === '' ? what : `${what}: ${said}`)
}

function parsePartCount(stdout: string): { parts?: number } {
  const [line = ''] = stdout.split('\n', 1)
  const parts = /^\s*\d{1,3}\s*$/.test(line) ? Number(line) : 0
  return parts >= 1 && parts <= 255 ? { parts } : {}
}
