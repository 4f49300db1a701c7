import { resolve } from 'node:path'
import { RelayError } from '../../../errors.js'
import type { Connection } from '../../profile/connection.js'
import { type Setup, setupFields } from '../setup/saved-setup.js'
import { toSetup } from '../setup/setup-flags.js'
import { getServiceFiles, getUnitName, type ServiceFiles } from './service-files.js'
import { extractSecrets, findUsedEnvironment, getDriverKinds } from './service-secrets.js'
import type { Scope, UnitPlan } from './systemd-unit.js'

/** What {@link planService} works with. */
export interface ServiceRequest {
  readonly scope: Scope
  /** The setup's name, where one was named. */
  readonly use?: string | undefined
  readonly runAs?: string | undefined
  /** What was typed beside the setup. */
  readonly typed: Setup
  /** The setup with what was typed over it. */
  readonly setup: Setup
  /** The relay and keys to write down; undefined where a saved profile has them. */
  readonly connection?: Connection | undefined
  /** Node, and the program. */
  readonly program: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** The groups of this machine, as /etc/group has them. */
  readonly groups: string
}

/** What is to be written for a unit. */
export interface ServicePlan {
  readonly files: ServiceFiles
  readonly unit: UnitPlan
  /** What the unit's file of variables holds. */
  readonly environment: Readonly<Record<string, string>>
}

const serialDrivers: readonly string[] = ['modem', 'gammu']
/** Drivers that need what only somebody who is signed in has. */
const userOnlyDrivers: Readonly<Record<string, string>> = {
  kdeconnect: 'KDE Connect belongs to the desktop of one user: leave --system out.',
  termux:
    'Termux has no systemd: install the app Termux:Boot, and put the command into ~/.termux/boot.',
}
/** Variables of a user's environment that a user's services may not have. */
const userVariables = [
  ...['SMSRELAY_CONFIG_DIR', 'SMSRELAY_PROFILE'],
  ...['XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'NODE_EXTRA_CA_CERTS'],
]

/** Plans the unit of a phone: what is secret goes into a file for its owner alone. Throws `usage`. */
export async function planService(request: ServiceRequest): Promise<ServicePlan> {
  const { scope, use, runAs, env } = request
  const kinds = getDriverKinds(request.setup)
  const refused = kinds.find(
    kind => kind in userOnlyDrivers && (scope === 'system' || kind === 'termux'),
  )
  if (refused !== undefined) {
    throw new RelayError('usage', `A phone with the driver ${refused} cannot be such a service.`, {
      hint: userOnlyDrivers[refused] ?? '',
    })
  }
  if (runAs !== undefined && (scope === 'user' || !/^[a-z_][a-z0-9_-]{0,31}$/.test(runAs))) {
    throw new RelayError('usage', '--run-as names a user of this machine, and is for --system.')
  }
  const name = getUnitName(use)
  const files = getServiceFiles(scope, name, env)
  const follows = scope === 'user' && use !== undefined
  const told = extractSecrets(
    follows ? { driver: request.setup.driver, ...request.typed } : request.setup,
  )
  const shown = follows && request.typed.driver === undefined ? omitDriver(told.setup) : told.setup
  const used = await findUsedEnvironment(request.setup, env)
  const environment = {
    ...(scope === 'user' ? pickVariables(env, userVariables) : {}),
    ...used,
    ...toKeyVariables(request.connection),
    ...told.values,
  }
  const journal = request.setup.journal === undefined ? undefined : resolve(request.setup.journal)
  const flags = formatFlags(
    { ...shown, ...(shown.journal === undefined ? {} : { journal }) },
    scope,
  )
  const command = [...request.program, 'phone', ...(follows ? [`--use=${use}`] : []), ...flags]
  const groups = kinds.some(kind => serialDrivers.includes(kind))
    ? findSerialGroups(request.groups)
    : []
  const hasVariables = Object.keys(environment).length > 0
  return {
    files,
    environment,
    unit: {
      ...{ scope, name, command, groups, runAs, journal, runsPrograms: kinds.includes('exec') },
      environmentFile: hasVariables ? files.environment : undefined,
    },
  }
}

/** The group that may open serial devices goes by one of these names. */
function findSerialGroups(groups: string): string[] {
  return ['dialout', 'uucp'].filter(name => new RegExp(`^${name}:`, 'm').test(groups)).slice(0, 1)
}

function omitDriver({ driver: _, ...setup }: Setup): Setup {
  return setup
}

/** A flag and its value are one word, for a value may begin with a dash. */
function formatFlags(setup: Setup, scope: Scope): string[] {
  const { profile, ...rest } = toSetup(setup)
  const given = scope === 'user' && profile !== undefined ? { ...rest, profile } : rest
  return Object.keys(setupFields).flatMap(part => {
    const value = given[part as keyof typeof given]
    if (value === undefined) return []
    if (value === true) return [`--${part}`]
    return [value].flat().map(each => `--${part}=${each}`)
  })
}

function toKeyVariables(connection: Connection | undefined): Record<string, string> {
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
