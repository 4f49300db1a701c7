import type { Clock } from '../../../util/async/clock.js'
import { Semaphore } from '../../../util/async/semaphore.js'
import type { Driver, DriverHealth, DriverListener } from '../../driver-port/driver.js'
import { type DriverOptions, parseNumberOption } from '../../driver-port/driver-options.js'
import {
  type Env,
  type ProgramCall,
  parseTimeoutOption,
  parseWordOption,
  requirePlainNumber,
  runExternalProgram,
  toEnglishEnvironment,
} from '../program/external-program.js'
import { createPollingWatches, maxListLength, parsePollOption } from '../program/inbox-polling.js'
import type { ProgramResult } from '../program/run-program.js'
import { toTextArguments } from './gammu-arguments.js'
import { readGammuInbox } from './gammu-inbox.js'
import { describeGammuOutput, parsePartsSent } from './gammu-output.js'

/** Names of the options of {@link createGammuDriver}. */
export const gammuOptions = ['config', 'section', 'timeout', 'poll'] as const

const install = 'Install it: apt install gammu.'
const healthTimeout = 30_000

/** What the gammu driver uses of the world. */
export interface GammuContext {
  readonly env: Env
  readonly clock: Clock
}

/**
 * A driver that runs `gammu sendsms` (Gammu 1.36 or newer): `config` is its configuration file (@default gammu's own
 * places, ~/.gammurc first), `section` the number of a section in it, and a text may take `timeout` seconds (@default
 * 60). Texts go one at a time, for gammu has the phone for itself. Texts that come in are looked for every `poll` seconds
 * and deleted once they are kept (@default never). Throws `usage`.
 */
export function createGammuDriver(options: DriverOptions, context: GammuContext): Driver {
  const given = toConfigArguments(options)
  const timeout = parseTimeoutOption(options)
  const program = { name: 'gammu', install }
  const turn = new Semaphore(1)
  const run: Run = async (args, call, still = skipCheck, locale = 'C') =>
    await turn.run(async () => {
      await still()
      const env = toEnglishEnvironment(context.env, locale)
      return await runExternalProgram({ ...program, env }, { ...call, args: [...given, ...args] })
    })
  let listener: DriverListener | undefined
  const look = async (signal: AbortSignal): Promise<void> => {
    if (listener === undefined) return
    const call = { timeout, signal, keep: maxListLength }
    // Texts are printed in the locale.
    await readGammuInbox(async args => await run(args, call, skipCheck, 'C.UTF-8'), listener)
  }
  const polling = {
    name: 'the inbox of gammu',
    every: parsePollOption(options),
    clock: context.clock,
  }
  return {
    name: 'gammu',
    watches: createPollingWatches({ ...polling, look }),
    listen(told) {
      listener = told
    },
    async send({ destination, text, assertCurrent: still }, signal) {
      const number = requirePlainNumber(destination)
      const args = ['sendsms', 'TEXT', number, ...toTextArguments(text)]
      return { parts: parsePartsSent(await run(args, { timeout, signal }, still)) }
    },
    async health() {
      try {
        const ended = await run(['networkinfo'], {
          timeout: healthTimeout,
          signal: createNeverSignal(),
        })
        const well = ended.by === 'exit' && ended.status === 0
        return well ? parseHealth(ended.stdout) : { ok: false, detail: describeGammuOutput(ended) }
      } catch (error) {
        return { ok: false, detail: (error as Error).message }
      }
    },
    async [Symbol.asyncDispose]() {},
  }
}

type Run = (
  args: readonly string[],
  call: Omit<ProgramCall, 'args'>,
  still?: () => Promise<void>,
  locale?: 'C' | 'C.UTF-8',
) => Promise<ProgramResult>

function createNeverSignal(): AbortSignal {
  return new AbortController().signal
}

async function skipCheck(): Promise<void> {}

function toConfigArguments(options: DriverOptions): readonly string[] {
  const config = parseWordOption(options, 'config')
  const section = parseNumberOption(options, 'section', { min: 0, max: 999, whole: true })
  return [
    ...(config === undefined ? [] : ['-c', config]),
    ...(section === undefined ? [] : ['-s', String(section)]),
  ]
}

/** Reads `gammu networkinfo`: lines of a name, a colon and a value. */
function parseHealth(stdout: string): DriverHealth {
  const value = (name: string) => new RegExp(`^${name} *: (.*)$`, 'm').exec(stdout)?.[1]?.trim()
  const state = value('Network state') ?? 'unknown'
  const detail = `Network: ${state}, ${value('Network') ?? 'none'}.`
  return { ok: /^(home|roaming) network$/.test(state), detail }
}
