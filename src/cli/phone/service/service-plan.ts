// `smsrelay phone service` runs a phone as a systemd service.
//
// 1. commands/phone/service/install.ts parses the flags, which are those of `smsrelay phone`.
// 2. planService decides the content of two files: the unit (systemd-unit.ts), which everyone can
//    read, and a file of variables with the keys and secrets (service-secrets.ts).
// 3. service-files.ts writes both, but never replaces a file of another program.
// 4. systemctl.ts starts the unit. `uninstall` stops it and removes both files.
import { resolve } from 'node:path'
import { RelayError } from '../../../errors.js'
import type { KeyConnection } from '../../profile/connection.js'
import { type Setup, setupFields } from '../setup/saved-setup.js'
import { listSetupDrivers, toSetup } from '../setup/setup-flags.js'
import { getServiceFiles, getUnitName, type ServiceFiles } from './service-files.js'
import { extractSecrets, findUsedEnvironment } from './service-secrets.js'
import type { Scope, UnitPlan } from './systemd-unit.js'

export interface ServiceRequest {
  readonly scope: Scope
  readonly use?: string | undefined
  readonly runAs?: string | undefined
  readonly typed: Setup
  readonly setup: Setup
  /** Undefined if the systemd unit reads the relay and the keys from a saved profile. */
  readonly connection?: KeyConnection | undefined
  readonly program: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly groups: string
}

export interface ServicePlan {
  readonly files: ServiceFiles
  readonly unit: UnitPlan
  readonly environment: Readonly<Record<string, string>>
}

const serialDrivers: readonly string[] = ['modem', 'gammu']
/**
 * Drivers that depend on a user's session and cannot run in a systemd system unit, with the next
 * step.
 */
const userOnlyDrivers: Readonly<Record<string, string>> = {
  kdeconnect: 'KDE Connect belongs to the desktop of one user: use --user.',
  termux:
    'Termux has no systemd: install the app Termux:Boot, and put the command into ~/.termux/boot.',
}
/** Environment variables that systemd user units do not inherit from the user's shell. */
const userVariables = [
  'SMSRELAY_CONFIG_DIR',
  'SMSRELAY_PROFILE',
  'XDG_CONFIG_HOME',
  'XDG_STATE_HOME',
  'NODE_EXTRA_CA_CERTS',
]

/** Plans the systemd unit of a phone. Throws `usage`. */
export async function planService(request: ServiceRequest): Promise<ServicePlan> {
  const { scope, use, runAs, env, setup } = request
  const kinds = listSetupDrivers(setup).map(({ kind }) => kind)
  assertSupported(request, kinds)
  const name = getUnitName(use)
  const files = getServiceFiles(scope, name, env)
  const { flags, values } = selectFlags(request)
  const environment = {
    ...(scope === 'user' ? pickVariables(env, userVariables) : {}),
    ...(await findUsedEnvironment(setup, env)),
    ...toKeyVariables(request.connection),
    ...values,
  }
  const journal = setup.journal === undefined ? undefined : resolve(setup.journal)
  const ownJournal = flags.journal === undefined ? {} : { journal }
  const usedSetup = readsSetup(request) ? [`--use=${use}`] : []
  const isSerial = kinds.some(kind => serialDrivers.includes(kind))
  const unit: UnitPlan = {
    scope,
    name,
    command: [
      ...request.program,
      'phone',
      ...usedSetup,
      ...formatFlags({ ...flags, ...ownJournal }, scope),
    ],
    groups: isSerial ? findSerialGroups(request.groups) : [],
    runAs,
    journal,
    runsPrograms: kinds.includes('exec'),
    environmentFile: Object.keys(environment).length > 0 ? files.environment : undefined,
  }
  return { files, environment, unit }
}

function assertSupported({ scope, runAs }: ServiceRequest, kinds: readonly string[]): void {
  const driver = kinds.find(
    kind => kind in userOnlyDrivers && (scope === 'system' || kind === 'termux'),
  )
  if (driver !== undefined) {
    const message = `The driver ${driver} cannot run in a ${scope} service.`
    throw new RelayError('usage', message, { hint: userOnlyDrivers[driver] ?? '' })
  }
  if (runAs === undefined) return
  if (scope === 'user') {
    throw new RelayError('usage', '--run-as cannot be used with --user.', {
      hint: 'Remove --run-as, or use --system.',
    })
  }
  if (!/^[a-z_][a-z0-9_-]{0,31}$/.test(runAs)) {
    throw new RelayError('usage', `--run-as must be the name of a user, not "${runAs}".`)
  }
}

/**
 * A systemd user unit reads its `smsrelay phone` setup when it starts; a system unit gets a copy.
 */
function readsSetup({ scope, use }: ServiceRequest): boolean {
  return scope === 'user' && use !== undefined
}

function selectFlags(request: ServiceRequest) {
  const { setup, typed } = request
  const all = readsSetup(request) ? { driver: setup.driver, ...typed } : setup
  const { setup: flags, values } = extractSecrets(all)
  const { driver: _, ...others } = flags
  const isInherited = readsSetup(request) && typed.driver === undefined
  return { flags: isInherited ? others : flags, values }
}

/** Finds the group of serial devices for the systemd unit; distributions use one of these names. */
function findSerialGroups(groups: string): string[] {
  return ['dialout', 'uucp'].filter(name => new RegExp(`^${name}:`, 'm').test(groups)).slice(0, 1)
}

/**
 * Formats flags for the systemd unit. Flag and value are one word, because a value may begin with a
 * dash.
 */
function formatFlags(setup: Setup, scope: Scope): string[] {
  const { profile, ...rest } = toSetup(setup)
  const given = scope === 'user' && profile !== undefined ? { ...rest, profile } : rest
  return Object.keys(setupFields).flatMap(field => {
    const value = given[field as keyof typeof given]
    if (value === undefined) return []
    if (value === true) return [`--${field}`]
    return [value].flat().map(each => `--${field}=${each}`)
  })
}

function toKeyVariables(connection: KeyConnection | undefined): Record<string, string> {
  if (connection === undefined) return {}
  const { url, credentials } = connection
  return {
    SMSRELAY_URL: url,
    SMSRELAY_SECRET_KEY: credentials.user,
    SMSRELAY_APP_KEY: credentials.password,
  }
}

function pickVariables(
  env: ServiceRequest['env'],
  names: readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    names.flatMap(name => {
      const value = env[name]
      return value === undefined || value === '' ? [] : [[name, value] as const]
    }),
  )
}
