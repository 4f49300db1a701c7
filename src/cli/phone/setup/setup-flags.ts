import { RelayError } from '../../../errors.js'
import { createDriverSet } from '../../../phone/drivers/driver-set.js'
import { createQuietHours } from '../../../phone/quiet-hours/quiet-hours.js'
import { parseRate } from '../../../phone/rate-limit/parts-rate.js'
import { getConfigDir } from '../../profile/directories.js'
import { parseInteger } from '../../terminal/parse-values.js'
import { parseDriverOptions } from '../driver-flags.js'
import { readSetup, type Setup, setupFields } from './saved-setup.js'

type Env = Readonly<Record<string, string | undefined>>

/** What oclif's parser tells of a command line. */
export interface ParsedFlags<F> {
  readonly flags: F
  /** What was typed; flags from the environment are not in it. */
  readonly raw: readonly (
    | { readonly type: 'arg' }
    | { readonly type: 'flag'; readonly flag: string }
  )[]
}

/** The parts of a setup that belong to its drivers; of another driver they mean nothing. */
const driverFields = [
  ...['driver', 'command', 'exec-timeout', 'delay', 'failure-rate', 'seed', 'option', 'route'],
]

/**
 * The flags over those of the setup they name: a driver that was typed replaces the setup's drivers with all their
 * options, an `--option` the one of its key, any other flag the one of its name. Throws `usage`, `damaged_data`.
 */
export async function applySetup<F extends Setup & { readonly use?: string | undefined }>(
  { flags, raw }: ParsedFlags<F>,
  env: Env,
): Promise<F> {
  const given = { ...flags, ...normalizeDrivers(flags) }
  if (flags.use === undefined) return given
  const saved = await readSetup(flags.use, getConfigDir(env))
  const typesDriver = raw.some(each => each.type === 'flag' && each.flag === 'driver')
  const kept = Object.entries(saved).filter(
    ([part]) => part in setupFields && !(typesDriver && driverFields.includes(part)),
  )
  const own = Object.entries(given).filter(
    ([part, value]) => value !== undefined && (part !== 'driver' || typesDriver),
  )
  const options = typesDriver ? given.option : mergeOptions(saved.option, given.option)
  return {
    ...Object.fromEntries(kept),
    ...Object.fromEntries(own),
    ...(options === undefined ? {} : { option: options }),
  } as F
}

/** One from the environment comes as it is, not in a list. */
function normalizeDrivers({ driver }: Setup): Pick<Setup, 'driver'> {
  return driver === undefined ? {} : { driver: [driver].flat() }
}

function mergeOptions(saved: readonly string[] = [], given: readonly string[] = []) {
  const keys = new Set(given.map(getOptionKey))
  const all = [...saved.filter(text => !keys.has(getOptionKey(text))), ...given]
  return all.length === 0 ? undefined : all
}

function getOptionKey(option: string): string {
  return option.split('=', 1)[0] ?? ''
}

/** What of the flags is saved. */
export function toSetup(flags: Setup): Setup {
  const parts = Object.keys(setupFields) as (keyof Setup)[]
  const kept = parts.flatMap(part => {
    const value = flags[part]
    return value === undefined || value === false ? [] : [[part, value] as const]
  })
  return { ...Object.fromEntries(kept), ...normalizeDrivers(flags) }
}

/** Throws `usage` for what a phone with these flags would refuse. Opens nothing. */
export async function checkSetup(setup: Setup, env: Env): Promise<void> {
  if (setup.driver === undefined) {
    throw new RelayError('usage', '--driver is missing.', { hint: 'See smsrelay phone --help.' })
  }
  parseInteger('--concurrency', setup.concurrency ?? '1', 1, 64)
  for (const rate of setup.rate ?? []) parseRate(rate)
  createQuietHours(setup.quiet ?? [], setup['time-zone'])
  const options = parseDriverOptions(setup)
  await using _ = createDriverSet({ drivers: setup.driver, routes: setup.route, options }, { env })
}
