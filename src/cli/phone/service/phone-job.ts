// `smsrelay phone service` runs a phone as a service of the system (src/cli/service).
//
// 1. commands/phone/service/install.ts parses the flags, which are those of `smsrelay phone`.
// 2. planPhoneService decides what the service runs. Keys and secrets (`service-secrets`) become
//    variables, which only the owner of the service can read.
// 3. `formatPhoneLines` has the lines that only the systemd unit of a phone has.
import { resolve } from 'node:path'
import { RelayError } from '../../../errors.js'
import type { KeyConnection } from '../../profile/connection.js'
import { assertRunAs } from '../../service/scope-flags.js'
import { pickVariables, userVariables } from '../../service/service-files.js'
import type { Scope, ServiceJob } from '../../service/service-job.js'
import { commonConfinement, quotePath, systemConfinement } from '../../service/systemd-unit.js'
import { type Setup, setupFields } from '../setup/saved-setup.js'
import { listSetupDrivers, toSetup } from '../setup/setup-flags.js'
import { extractSecrets, findUsedEnvironment } from './service-secrets.js'

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

export interface PhonePlan {
  readonly job: ServiceJob
  /** Groups of the serial devices that the phone opens. */
  readonly groups: readonly string[]
}

/** Seconds that a phone has to stop: a network may take a minute for a text. */
const stopTime = 90

/** Name of the phone's service; `use` is the name of a setup. */
export function getPhoneServiceName(use: string | undefined): string {
  return use === undefined ? 'smsrelay-phone' : `smsrelay-phone-${use}`
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

/** Plans the service of a phone. Throws `usage`. */
export async function planPhoneService(request: ServiceRequest): Promise<PhonePlan> {
  const { scope, use, runAs, env, setup } = request
  const kinds = listSetupDrivers(setup).map(({ kind }) => kind)
  assertSupported(request, kinds)
  assertRunAs(scope, runAs)
  const name = getPhoneServiceName(use)
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
  const groups = isSerial ? findSerialGroups(request.groups) : []
  const given = formatFlags({ ...flags, ...ownJournal }, scope)
  const command = [...request.program, 'phone', ...usedSetup, ...given]
  const runsPrograms = kinds.includes('exec')
  const unitLines = formatPhoneLines({ scope, name, groups, journal, runsPrograms })
  return { job: { scope, name, command, environment, runAs, stopTime, unitLines }, groups }
}

function assertSupported({ scope }: ServiceRequest, kinds: readonly string[]): void {
  const driver = kinds.find(
    kind => kind in userOnlyDrivers && (scope === 'system' || kind === 'termux'),
  )
  if (driver !== undefined) {
    const message = `The driver ${driver} cannot run in a ${scope} service.`
    throw new RelayError('usage', message, { hint: userOnlyDrivers[driver] ?? '' })
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

interface PhoneUnit {
  readonly scope: Scope
  readonly name: string
  /** Whether a driver runs a program of the user, which systemd's confinement could break. */
  readonly runsPrograms: boolean
  /** Groups of the serial devices that the phone opens. */
  readonly groups: readonly string[]
  /** Directory of the phone's journal. @default the state directory of the systemd unit */
  readonly journal?: string | undefined
}

/**
 * The lines that only the unit of a phone has. Its confinement is without ProtectClock= and
 * PrivateDevices=, which block serial devices (systemd.exec(5)).
 */
function formatPhoneLines(unit: PhoneUnit): string[] {
  const { scope, runsPrograms } = unit
  const isSystem = scope === 'system'
  return [
    'Type=exec',
    // A restart does not fix wrong settings (exit code 2) or wrong keys (4).
    'RestartPreventExitStatus=2 4',
    ...(isSystem ? formatAccess(unit) : []),
    ...(runsPrograms ? [] : commonConfinement),
    ...(runsPrograms || !isSystem
      ? []
      : [...systemConfinement, 'ProtectHome=read-only', 'CapabilityBoundingSet=']),
  ]
}

function formatAccess({ name, groups, journal }: PhoneUnit): string[] {
  return [
    ...(groups.length === 0 ? [] : [`SupplementaryGroups=${groups.join(' ')}`]),
    ...(journal === undefined
      ? [
          `StateDirectory=${name}`,
          'StateDirectoryMode=0700',
          `Environment=SMSRELAY_JOURNAL_DIR=%S/${name}`,
        ]
      : [`ReadWritePaths=${quotePath(journal)}`]),
  ]
}
