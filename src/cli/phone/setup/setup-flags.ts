import { RelayError } from '../../../errors.js'
import { createDriverSet } from '../../../phone/drivers/driver-set.js'
import { createQuietHours } from '../../../phone/quiet-hours/quiet-hours.js'
import { parseRate } from '../../../phone/rate-limit/parts-rate.js'
import { openDriverWebhooks } from '../../../phone/webhooks/webhook-server.js'
import { getConfigDir } from '../../profile/directories.js'
import {
  driverFlags,
  parseConcurrency,
  parseDriverOptions,
  parsePhoneListen,
  runningFlags,
} from '../phone-flags.js'
import { readSetup, type Setup, setupFields } from './saved-setup.js'

type Env = Readonly<Record<string, string | undefined>>

export interface ParsedFlags<F> {
  readonly flags: F
  /** What was typed on the command line, without flags from the environment. */
  readonly raw: readonly (
    | { readonly type: 'arg' }
    | { readonly type: 'flag'; readonly flag: string }
  )[]
}

export interface SetupDriver {
  /** Name of a driver in a `smsrelay phone` setup; for a single driver without a name, its kind. */
  readonly name: string
  readonly kind: string
  readonly options: Readonly<Record<string, string>>
}

/**
 * Fields that belong to the drivers of a `smsrelay phone` setup and are useless for other drivers.
 */
const driverFields = ['driver', 'option', 'route']

/**
 * Merges the flags of a phone command with the setup of --use: a typed --driver replaces all
 * drivers and their options, an --option the one with its key, any other flag the one with its
 * name. Throws `usage` and `damaged_data`.
 */
export async function applySetup<F extends Setup & { readonly use?: string | undefined }>(
  { flags, raw }: ParsedFlags<F>,
  env: Env,
): Promise<F> {
  if (flags.use === undefined) return flags
  const saved = await readSetup(flags.use, getConfigDir(env))
  const isDriverTyped = raw.some(each => each.type === 'flag' && each.flag === 'driver')
  const inherited = Object.entries(saved).filter(
    ([field]) => field in setupFields && !(isDriverTyped && driverFields.includes(field)),
  )
  const own = Object.entries(flags).filter(
    ([field, value]) => value !== undefined && (field !== 'driver' || isDriverTyped),
  )
  const options = isDriverTyped ? flags.option : mergeOptions(saved.option, flags.option)
  return {
    ...Object.fromEntries(inherited),
    ...Object.fromEntries(own),
    ...(options === undefined ? {} : { option: options }),
  } as F
}

export function toSetup(flags: Setup): Setup {
  const fields = Object.keys(setupFields) as (keyof Setup)[]
  const set = fields.flatMap(field => {
    const value = flags[field]
    return value === undefined || value === false ? [] : [[field, value] as const]
  })
  return Object.fromEntries(set)
}

export function listSetupDrivers(setup: Setup): SetupDriver[] {
  const options = parseDriverOptions(setup)
  const [first = '', ...more] = setup.driver ?? []
  if (more.length === 0 && !first.includes('=')) return [{ name: first, kind: first, options }]
  return [first, ...more].map(text => {
    const [name = '', kind = ''] = text.split('=', 2)
    const own = Object.entries(options)
      .filter(([key]) => key.startsWith(`${name}.`))
      .map(([key, value]) => [key.slice(name.length + 1), value] as const)
    return { name, kind, options: Object.fromEntries(own) }
  })
}

export async function checkSetup(setup: Setup, env: Env): Promise<void> {
  if (setup.driver === undefined) {
    throw new RelayError('usage', '--driver is missing.', {
      hint: 'Add --driver; smsrelay phone --help lists the drivers.',
    })
  }
  parseConcurrency(setup.concurrency)
  for (const rate of setup.rate ?? []) parseRate(rate)
  createQuietHours(setup.quiet ?? [], setup['time-zone'])
  const options = parseDriverOptions(setup)
  const choice = { drivers: setup.driver, routes: setup.route, options }
  await using driver = createDriverSet(choice, { env })
  if (setup.listen === undefined) return
  parsePhoneListen(setup.listen)
  openDriverWebhooks(driver)
}

/**
 * The variables that the flags of a setup and its drivers read, to run it as a service; checks it.
 * Throws `usage`.
 */
export async function listSetupVariables(setup: Setup, env: Env): Promise<Record<string, string>> {
  const variables: Record<string, string> = {}
  const get = (_: unknown, name: string) => {
    const value = env[name]
    if (value !== undefined) variables[name] = value
    return value
  }
  await checkSetup(setup, new Proxy<Env>(env, { get, ownKeys: () => [] }))
  const flags: Readonly<Record<string, { env?: string }>> = { ...driverFlags, ...runningFlags }
  for (const [field, value] of Object.entries(toSetup(setup))) {
    const name = flags[field]?.env
    // A repeatable flag has a line for each value.
    if (name !== undefined) variables[name] = [value].flat().join('\n')
  }
  return variables
}

function mergeOptions(saved: readonly string[] = [], given: readonly string[] = []) {
  const keys = new Set(given.map(getOptionKey))
  const all = [...saved.filter(text => !keys.has(getOptionKey(text))), ...given]
  return all.length === 0 ? undefined : all
}

function getOptionKey(option: string): string {
  return option.split('=', 1)[0] ?? ''
}
