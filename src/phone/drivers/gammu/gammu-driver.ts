import type { Pause } from '../../../util/async/clock.js'
import { Gate } from '../../../util/async/semaphore.js'
import type { Driver, DriverHealth, DriverListener } from '../../driver-port/driver.js'
import { type DriverOptions, numberOption } from '../../driver-port/driver-options.js'
import {
  type Call,
  type Env,
  inEnglish,
  plainNumber,
  runKnown,
  timeoutOption,
  wordOption,
} from '../program/external-program.js'
import { listLength, pollingWatches, pollOption } from '../program/inbox-polling.js'
import type { Ended } from '../program/run-program.js'
import { textArguments } from './gammu-arguments.js'
import { readGammuInbox } from './gammu-inbox.js'
import { partsSent, said } from './gammu-output.js'

/** Names of the options of {@link createGammuDriver}. */
export const gammuOptions = ['config', 'section', 'timeout', 'poll'] as const

const install = 'Install it: apt install gammu.'
const healthTimeout = 30_000

/** What the gammu driver uses of the world. */
export interface GammuContext {
  readonly env: Env
  readonly pause: Pause
}

/**
 * A driver that runs `gammu sendsms` (Gammu 1.36 or newer): `config` is its configuration file (@default gammu's own
 * places, ~/.gammurc first), `section` the number of a section in it, and a text may take `timeout` seconds (@default
 * 60). Texts go one at a time, for gammu has the phone for itself. Texts that come in are looked for every `poll` seconds
 * and deleted once they are kept (@default never). Throws `usage`.
 */
export function createGammuDriver(options: DriverOptions, context: GammuContext): Driver {
  const given = configArguments(options)
  const timeout = timeoutOption(options)
  const program = { name: 'gammu', install }
  const turn = new Gate(1, Number.POSITIVE_INFINITY)
  const run: Run = async (args, call, still = ready, locale = 'C') =>
    await turn.run(async () => {
      await still()
      const env = inEnglish(context.env, locale)
      return await runKnown({ ...program, env }, { ...call, args: [...given, ...args] })
    })
  let listener: DriverListener | undefined
  const look = async (signal: AbortSignal): Promise<void> => {
    if (listener === undefined) return
    const call = { timeout, signal, keep: listLength }
    // Texts are printed in the locale.
    await readGammuInbox(async args => await run(args, call, ready, 'C.UTF-8'), listener)
  }
  const polling = { name: 'the inbox of gammu', every: pollOption(options), pause: context.pause }
  return {
    name: 'gammu',
    watches: pollingWatches({ ...polling, look }),
    listen(told) {
      listener = told
    },
    async send({ destination, text, still }, signal) {
      const number = plainNumber(destination)
      const args = ['sendsms', 'TEXT', number, ...textArguments(text)]
      return { parts: partsSent(await run(args, { timeout, signal }, still)) }
    },
    async health() {
      try {
        const ended = await run(['networkinfo'], { timeout: healthTimeout, signal: never() })
        const well = ended.by === 'exit' && ended.status === 0
        return well ? healthOf(ended.stdout) : { ok: false, detail: said(ended) }
      } catch (error) {
        return { ok: false, detail: (error as Error).message }
      }
    },
    async [Symbol.asyncDispose]() {},
  }
}

type Run = (
  args: readonly string[],
  call: Omit<Call, 'args'>,
  still?: () => Promise<void>,
  locale?: 'C' | 'C.UTF-8',
) => Promise<Ended>

function never(): AbortSignal {
  return new AbortController().signal
}

async function ready(): Promise<void> {}

function configArguments(options: DriverOptions): readonly string[] {
  const config = wordOption(options, 'config')
  const section = numberOption(options, 'section', { least: 0, most: 999, whole: true })
  return [
    ...(config === undefined ? [] : ['-c', config]),
    ...(section === undefined ? [] : ['-s', String(section)]),
  ]
}

/** Reads `gammu networkinfo`: lines of a name, a colon and a value. */
function healthOf(stdout: string): DriverHealth {
  const value = (name: string) => new RegExp(`^${name} *: (.*)$`, 'm').exec(stdout)?.[1]?.trim()
  const state = value('Network state') ?? 'unknown'
  const detail = `Network: ${state}, ${value('Network') ?? 'none'}.`
  return { ok: /^(home|roaming) network$/.test(state), detail }
}
