import { RelayError } from '../../errors.js'
import { parseDuration } from '../terminal/parse-values.js'
import { toOneLine } from '../terminal/terminal-text.js'

/** Flags that set options of a driver. */
export interface DriverFlags {
  readonly command?: string | undefined
  readonly 'exec-timeout'?: string | undefined
  readonly delay?: string | undefined
  readonly 'failure-rate'?: string | undefined
  readonly seed?: string | undefined
  readonly option?: readonly string[] | undefined
}

/** The options of a driver by name: those with a flag of their own, and `--option key=value`. Throws `usage`. */
export function parseDriverOptions(flags: DriverFlags): Record<string, string> {
  const { command, delay, seed, 'exec-timeout': timeout, 'failure-rate': rate } = flags
  const named = {
    command,
    seed,
    'failure-rate': rate,
    delay: delay === undefined ? undefined : String(parseDuration('--delay', delay)),
    timeout:
      timeout === undefined ? undefined : String(parseDuration('--exec-timeout', timeout) / 1000),
  }
  const given = Object.entries(named).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as const],
  )
  return Object.fromEntries([...(flags.option ?? []).map(parseOption), ...given])
}

/** An event of the phone on one line, for people: its name, then its facts. */
export function formatPhoneEvent(
  event: Readonly<Record<string, unknown>> & { time: string },
): string {
  const { time, event: name, ...facts } = event
  const told = Object.entries(facts)
    .filter(([, value]) => value !== false)
    .map(([key, value]) => (key === 'id' ? String(value) : `${key}=${formatValue(key, value)}`))
  return toOneLine([`${time.slice(11, 19)}Z`, String(name), ...told].join(' '))
}

/** A wait in seconds, as people count it. */
function formatValue(key: string, value: unknown): string {
  return key === 'wait' ? `${Math.ceil(Number(value) / 1000)}s` : String(value)
}

function parseOption(text: string): readonly [string, string] {
  const at = text.indexOf('=')
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)]
  throw new RelayError('usage', '--option is written KEY=VALUE.')
}
