import { errorText, RelayError } from '../../../errors.js'
import { type Driver, DriverError, type DriverHealth } from '../../driver-port/driver.js'
import type { DriverContext, DriverOptions } from '../../driver-port/driver-options.js'
import {
  addAdvice,
  createNeverSignal,
  describeResult,
  type ExternalProgram,
  getLastOutput,
  hasSucceeded,
  parseTimeoutOption,
  parseWordOption,
  requirePlainNumber,
  runExternalProgram,
  toEnglishEnvironment,
} from './external-program.js'
import type { ProgramResult } from './run-program.js'

export const kdeconnectOptions = ['device', 'name', 'timeout'] as const

const install = 'Install it: apt install kdeconnect.'
const phoneAdvice =
  'Check that the phone is on, paired and in the same network, and that KDE Connect may run in ' +
  'the background.'
const sessionAdvice =
  'It needs the D-Bus session of the desktop: run the phone as the user who is signed in there.'
const targetUsage =
  'The kdeconnect driver needs either device=ID or name=NAME; kdeconnect-cli -l lists them.'
/** Milliseconds. */
const listTimeout = 20_000

/**
 * Creates the driver `kdeconnect` for an Android phone that is paired with this desktop
 * (docs/reference/drivers.md). The phone reports no result, so "sent" means passed to the phone.
 * Throws `usage`.
 */
export function createKdeconnectDriver(
  options: DriverOptions,
  { env, clock }: Pick<DriverContext, 'env' | 'clock'>,
): Driver {
  const target = parseTarget(options)
  const timeout = parseTimeoutOption(options)
  const program = {
    name: 'kdeconnect-cli',
    install,
    env: toEnglishEnvironment(env, 'C.UTF-8'),
    clock,
  }
  return {
    name: 'kdeconnect',
    async send({ destination, text }, signal) {
      const number = requirePlainNumber(destination)
      const phone = await findReachablePhone(program, target, signal)
      // With `=`, kdeconnect cannot mistake a text for an option.
      const args = [`--send-sms=${text}`, `--destination=${number}`, `--device=${phone.id}`]
      checkAccepted(await runExternalProgram(program, { args, timeout, signal }))
      return {}
    },
    async health(): Promise<DriverHealth> {
      try {
        const { id, name } = await findReachablePhone(program, target, createNeverSignal())
        return { ok: true, detail: `${name} (${id}) is paired and can be reached.` }
      } catch (error) {
        return { ok: false, detail: errorText(error) }
      }
    },
    async [Symbol.asyncDispose]() {},
  }
}

interface PairedPhone {
  readonly id: string
  readonly name: string
}

type Target = { readonly id: string } | { readonly name: string }

function parseTarget(options: DriverOptions): Target {
  const id = parseWordOption(options, 'device')
  const name = parseWordOption(options, 'name')
  if (id !== undefined && name === undefined) return { id }
  if (name !== undefined && id === undefined) return { name }
  throw new RelayError('usage', targetUsage)
}

/** Finds the kdeconnect phone among those that can be reached now. Throws `trouble`. */
async function findReachablePhone(
  program: ExternalProgram,
  target: Target,
  signal: AbortSignal,
): Promise<PairedPhone> {
  const args = ['--list-available', '--id-name-only']
  const result = await runExternalProgram(program, { args, timeout: listTimeout, signal })
  if (signal.aborted) throw new DriverError('trouble', 'Stopped before the text was passed on.')
  if (!hasSucceeded(result)) {
    throw new DriverError('trouble', addAdvice(describeResult(program.name, result), sessionAdvice))
  }
  const phones = result.stdout.split('\n').flatMap(parsePhone)
  const found = phones.filter(each =>
    'id' in target ? each.id === target.id : each.name === target.name,
  )
  const [phone] = found
  if (phone !== undefined && found.length === 1) return phone
  const label = 'id' in target ? target.id : target.name
  throw new DriverError(
    'trouble',
    found.length > 1
      ? `Several phones are called ${label}. ${targetUsage}`
      : `KDE Connect cannot reach ${label}. ${phoneAdvice}`,
  )
}

function parsePhone(line: string): PairedPhone[] {
  const [, id, name] = /^(\S+) (.+)$/.exec(line.trimEnd()) ?? []
  return id === undefined || name === undefined ? [] : [{ id, name }]
}

/**
 * A D-Bus error of kdeconnect means that the text was not passed on, unless it is a missing reply.
 */
function checkAccepted(result: ProgramResult): void {
  if (hasSucceeded(result)) return
  const isRefused = result.by === 'exit' && !/reply|timed? ?out/i.test(getLastOutput(result.stderr))
  const description = describeResult('kdeconnect-cli', result)
  if (!isRefused) throw new DriverError('unknown', description)
  throw new DriverError('trouble', addAdvice(description, phoneAdvice))
}
