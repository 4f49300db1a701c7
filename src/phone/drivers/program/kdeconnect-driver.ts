import { RelayError } from '../../../errors.js'
import { type Driver, DriverError, type DriverHealth } from '../../driver-port/driver.js'
import type { DriverOptions } from '../../driver-port/driver-options.js'
import {
  advised,
  type Env,
  inEnglish,
  inWords,
  type KnownProgram,
  lastWords,
  plainNumber,
  runKnown,
  timeoutOption,
  wordOption,
} from './external-program.js'
import type { Ended } from './run-program.js'

/** Names of the options of {@link createKdeconnectDriver}. */
export const kdeconnectOptions = ['device', 'name', 'timeout'] as const

const install = 'Install it: apt install kdeconnect.'
const advice =
  'Is the phone on, paired and in the same network, with KDE Connect allowed to run in the background?'
const needs = 'The kdeconnect driver needs either device=ID or name=NAME: kdeconnect-cli -l.'

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
  const target = targetOf(options)
  const timeout = timeoutOption(options)
  const program = { name: 'kdeconnect-cli', install, env: inEnglish(context.env, 'C.UTF-8') }
  return {
    name: 'kdeconnect',
    async send({ destination, text }, signal) {
      // One argument each, so that no text is taken for an option.
      const what = [`--send-sms=${text}`, `--destination=${plainNumber(destination)}`]
      const phone = await reach(program, target, signal)
      const args = [...what, `--device=${phone.id}`]
      accepted(await runKnown(program, { args, timeout, signal }))
      return {}
    },
    async health(): Promise<DriverHealth> {
      try {
        const { id, name } = await reach(program, target, new AbortController().signal)
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

function targetOf(options: DriverOptions): Target {
  const id = wordOption(options, 'device')
  const name = wordOption(options, 'name')
  if (id !== undefined && name === undefined) return { id }
  if (name !== undefined && id === undefined) return { name }
  throw new RelayError('usage', needs)
}

/** The phone among those that are paired and can be reached now. Throws `trouble`. */
async function reach(program: KnownProgram, target: Target, signal: AbortSignal): Promise<Phone> {
  const args = ['--list-available', '--id-name-only']
  const ended = await runKnown(program, { args, timeout: 20_000, signal })
  if (signal.aborted) throw new DriverError('trouble', 'Stopped before the text was handed over.')
  if (ended.by !== 'exit' || ended.status !== 0) {
    throw new DriverError('trouble', advised(inWords(program.name, ended), session))
  }
  const phones = ended.stdout.split('\n').flatMap(phoneOf)
  const found = phones.filter(each =>
    'id' in target ? each.id === target.id : each.name === target.name,
  )
  const [phone] = found
  if (phone !== undefined && found.length === 1) return phone
  const which = 'id' in target ? target.id : target.name
  const words = found.length > 1 ? 'Several phones are called' : 'KDE Connect cannot reach'
  throw new DriverError('trouble', `${words} ${which}. ${found.length > 1 ? needs : advice}`)
}

const session =
  'It needs the D-Bus session of the desktop: run the phone as the user who is signed in there.'

function phoneOf(line: string): Phone[] {
  const [, id, name] = /^(\S+) (.+)$/.exec(line.trimEnd()) ?? []
  return id === undefined || name === undefined ? [] : [{ id, name }]
}

/** An error by D-Bus means not handed over, unless it is that no answer came. */
function accepted(ended: Ended): void {
  if (ended.by === 'exit' && ended.status === 0) return
  const refused = ended.by === 'exit' && !/reply|timed? ?out/i.test(lastWords(ended.stderr))
  const words = inWords('kdeconnect-cli', ended)
  throw new DriverError(
    refused ? 'trouble' : 'unknown',
    advised(words, refused ? advice : undefined),
  )
}
