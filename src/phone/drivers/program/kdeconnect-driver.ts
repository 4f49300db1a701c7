import { RelayError } from '../../../errors.js'
import { type Driver, DriverError, type DriverHealth } from '../../driver-port/driver.js'
import type { DriverOptions } from '../../driver-port/driver-options.js'
import {
  addAdvice,
  describeResult,
  type Env,
  type ExternalProgram,
  getLastOutput,
  parseTimeoutOption,
  parseWordOption,
  requirePlainNumber,
  runExternalProgram,
  toEnglishEnvironment,
} from './external-program.js'
import type { ProgramResult } from './run-program.js'

/** Names of the options of {@link createKdeconnectDriver}. */
export const kdeconnectOptions = ['device', 'name', 'timeout'] as const

const install = 'Install it: apt install kdeconnect.'
const advice =
  'Is the phone on, paired and in the same network, with KDE Connect allowed to run in the background?'
const missingTarget =
  'The kdeconnect driver needs either device=ID or name=NAME: kdeconnect-cli -l.'

/** What the kdeconnect driver uses of the world. */
export interface KdeconnectContext {
  readonly env: Env
}

/**
 * A driver for an Android phone that is paired with this desktop by KDE Connect: `device` is its ID or `name` its name,
 * and handing a text over may take `timeout` seconds (@default 60). The phone never says what became of a text, so sent
 * means handed to the phone; one that cannot be reached is found out before. Throws `usage`.
 */
export function createKdeconnectDriver(options: DriverOptions, context: KdeconnectContext): Driver {
  const target = parseTarget(options)
  const timeout = parseTimeoutOption(options)
  const program = {
    name: 'kdeconnect-cli',
    install,
    env: toEnglishEnvironment(context.env, 'C.UTF-8'),
  }
  return {
    name: 'kdeconnect',
    async send({ destination, text }, signal) {
      // One argument each, so that no text is taken for an option.
      const what = [`--send-sms=${text}`, `--destination=${requirePlainNumber(destination)}`]
      const phone = await findReachablePhone(program, target, signal)
      const args = [...what, `--device=${phone.id}`]
      checkAccepted(await runExternalProgram(program, { args, timeout, signal }))
      return {}
    },
    async health(): Promise<DriverHealth> {
      try {
        const { id, name } = await findReachablePhone(program, target, new AbortController().signal)
        return { ok: true, detail: `${name} (${id}) is paired and can be reached.` }
      } catch (error) {
        return { ok: false, detail: (error as Error).message }
      }
    },
    async [Symbol.asyncDispose]() {},
  }
}

interface Phone {
  readonly id: string
  readonly name: string
}

type Target = { readonly id: string } | { readonly name: string }

function parseTarget(options: DriverOptions): Target {
  const id = parseWordOption(options, 'device')
  const name = parseWordOption(options, 'name')
  if (id !== undefined && name === undefined) return { id }
  if (name !== undefined && id === undefined) return { name }
  throw new RelayError('usage', missingTarget)
}

/** The phone among those that are paired and can be reached now. Throws `trouble`. */
async function findReachablePhone(
  program: ExternalProgram,
  target: Target,
  signal: AbortSignal,
): Promise<Phone> {
  const args = ['--list-available', '--id-name-only']
  const ended = await runExternalProgram(program, { args, timeout: 20_000, signal })
  if (signal.aborted) throw new DriverError('trouble', 'Stopped before the text was handed over.')
  if (ended.by !== 'exit' || ended.status !== 0) {
    throw new DriverError('trouble', addAdvice(describeResult(program.name, ended), sessionAdvice))
  }
  const phones = ended.stdout.split('\n').flatMap(parsePhone)
  const found = phones.filter(each =>
    'id' in target ? each.id === target.id : each.name === target.name,
  )
  const [phone] = found
  if (phone !== undefined && found.length === 1) return phone
  const which = 'id' in target ? target.id : target.name
  const words = found.length > 1 ? 'Several phones are called' : 'KDE Connect cannot reach'
  throw new DriverError(
    'trouble',
    `${words} ${which}. ${found.length > 1 ? missingTarget : advice}`,
  )
}

const sessionAdvice =
  'It needs the D-Bus session of the desktop: run the phone as the user who is signed in there.'

function parsePhone(line: string): Phone[] {
  const [, id, name] = /^(\S+) (.+)$/.exec(line.trimEnd()) ?? []
  return id === undefined || name === undefined ? [] : [{ id, name }]
}

/** An error by D-Bus means not handed over, unless it is that no answer came. */
function checkAccepted(ended: ProgramResult): void {
  if (ended.by === 'exit' && ended.status === 0) return
  const refused = ended.by === 'exit' && !/reply|timed? ?out/i.test(getLastOutput(ended.stderr))
  const words = describeResult('kdeconnect-cli', ended)
  throw new DriverError(
    refused ? 'trouble' : 'unknown',
    addAdvice(words, refused ? advice : undefined),
  )
}
