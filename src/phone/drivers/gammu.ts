import { Gate } from '../../util/gate.js'
import type { Driver, DriverHealth } from '../driver.js'
import { partsSent, said } from './gammu/answer.js'
import { textArguments } from './gammu/arguments.js'
import {
  type Env,
  inEnglish,
  plainNumber,
  runKnown,
  timeoutOption,
  wordOption,
} from './known-program.js'
import { type DriverOptions, numberOption } from './options.js'

/** Names of the options of {@link createGammuDriver}. */
export const gammuOptions = ['config', 'section', 'timeout'] as const

const install = 'Install it: apt install gammu.'
const healthTimeout = 30_000

/** What the gammu driver uses of the world. */
export interface GammuContext {
  readonly env: Env
}

/**
 * A driver that runs `gammu sendsms` (Gammu 1.36 or newer): `config` is its configuration file (@default gammu's own
 * places, ~/.gammurc first), `section` the number of a section in it, and a text may take `timeout` seconds (@default
 * 60). Texts go one at a time, for gammu has the phone for itself. Throws `usage`.
 */
export function createGammuDriver(options: DriverOptions, context: GammuContext): Driver {
  const given = configArguments(options)
  const timeout = timeoutOption(options)
  const program = { name: 'gammu', install, env: inEnglish(context.env, 'C') }
  const turn = new Gate(1, Number.POSITIVE_INFINITY)
  const run = async (args: readonly string[], limit: number, signal: AbortSignal, still = ready) =>
    await turn.run(async () => {
      await still()
      return await runKnown(program, { args: [...given, ...args], timeout: limit, signal })
    })
  return {
    name: 'gammu',
    async send({ destination, text, still }, signal) {
      const number = plainNumber(destination)
      const args = ['sendsms', 'TEXT', number, ...textArguments(text)]
      return { parts: partsSent(await run(args, timeout, signal, still)) }
    },
    async health() {
      try {
        const ended = await run(['networkinfo'], healthTimeout, new AbortController().signal)
        const well = ended.by === 'exit' && ended.status === 0
        return well ? healthOf(ended.stdout) : { ok: false, detail: said(ended) }
      } catch (error) {
        return { ok: false, detail: (error as Error).message }
      }
    },
    async [Symbol.asyncDispose]() {},
  }
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
