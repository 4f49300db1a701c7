import { RelayError } from '../../../errors.js'
import { splitCommand } from '../../../util/text/shell-words.js'
import {
  type Driver,
  DriverError,
  type DriverMessage,
  type DriverReceipt,
} from '../../driver-port/driver.js'
import {
  type DriverContext,
  type DriverOptions,
  readOptions,
  required,
  seconds,
} from '../../driver-port/driver-options.js'
import { getLastOutput, removeOwnVariables } from './external-program.js'
import { type ProgramResult, runProgram } from './run-program.js'

const example = `--option 'command=/usr/local/bin/send-sms --'`

export const execOptions = {
  command: required(example, { ask: 'Program and its first arguments' }),
  timeout: seconds(60, 0.1, 3600),
}

/**
 * Creates the driver `exec`, which runs a program for each text, never through a shell
 * (docs/reference/drivers.md). Throws `usage`.
 */
export function createExecDriver(
  options: DriverOptions,
  { env, clock }: Pick<DriverContext, 'env' | 'clock'>,
): Driver {
  const { command, timeout } = readOptions(execOptions, options)
  const [program, ...given] = splitCommand(command)
  if (program === undefined || program === '') {
    throw new RelayError('usage', 'The command names no program.', { hint: `Such as ${example}.` })
  }
  const inherited = removeOwnVariables(env)
  return {
    name: 'exec',
    async send(message, signal) {
      const args = [...given, message.destination, message.text]
      const variables = { ...inherited, ...toVariables(message) }
      return toReceipt(await runProgram({ program, args, env: variables, timeout, signal, clock }))
    },
    async [Symbol.asyncDispose]() {},
  }
}

function toVariables({ id, destination, text, flash }: DriverMessage): Record<string, string> {
  return {
    ...{ SMSRELAY_ID: id, SMSRELAY_DESTINATION: destination, SMSRELAY_TEXT: text },
    ...(flash === true ? { SMSRELAY_FLASH: '1' } : {}),
  }
}

/**
 * Exit status 0 of the exec driver's program means sent, any other not sent; after a signal or a
 * timeout the result is unknown.
 */
function toReceipt(result: ProgramResult): DriverReceipt {
  const output = getLastOutput(result.stderr)
  if (result.by === 'exit' && result.status === 0) return parsePartCount(result.stdout)
  if (result.by === 'exit') {
    throw new DriverError('retry', output || `exit status ${result.status}`)
  }
  const end = result.by === 'signal' ? `killed by ${result.signal}` : result.reason
  throw new DriverError('unknown', output === '' ? end : `${end}: ${output}`)
}

function parsePartCount(stdout: string): DriverReceipt {
  const [line = ''] = stdout.split('\n', 1)
  const parts = /^\s*\d{1,3}\s*$/.test(line) ? Number(line) : 0
  return parts >= 1 && parts <= 255 ? { parts } : {}
}
