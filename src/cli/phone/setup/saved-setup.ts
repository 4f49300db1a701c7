// Setups: flags of `smsrelay phone` that are saved under a name.
//
// - saved-setup.ts reads and writes `phones.json` in the configuration directory.
// - setup-flags.ts merges the setup of --use with the flags, and checks the result.
// - setup-prompts.ts asks a person for a driver and its options (`phone setup` without --driver).
// - setup-view.ts shows setups without their secrets (`phone setups`).
import { dirname, join } from 'node:path'
import { RelayError } from '../../../errors.js'
import { JsonFile } from '../../../util/files/json-file.js'
import { getConfigDir } from '../../profile/directories.js'

export interface Setup {
  readonly driver?: readonly string[] | undefined
  readonly option?: readonly string[] | undefined
  readonly route?: readonly string[] | undefined
  readonly concurrency?: string | undefined
  readonly rate?: readonly string[] | undefined
  readonly quiet?: readonly string[] | undefined
  readonly 'time-zone'?: string | undefined
  readonly journal?: string | undefined
  readonly 'no-journal'?: boolean | undefined
  readonly listen?: string | undefined
  readonly 'no-forward'?: boolean | undefined
  readonly name?: string | undefined
  readonly profile?: string | undefined
}

type FieldKind = 'list' | 'text' | 'yes'

export const setupFields = {
  driver: 'list',
  option: 'list',
  route: 'list',
  concurrency: 'text',
  rate: 'list',
  quiet: 'list',
  'time-zone': 'text',
  journal: 'text',
  'no-journal': 'yes',
  listen: 'text',
  'no-forward': 'yes',
  name: 'text',
  profile: 'text',
} as const satisfies Record<keyof Setup, FieldKind>

type Setups = Readonly<Record<string, Setup>>

interface SetupFile {
  readonly setups?: Setups
}

export async function readSetups(dir = getConfigDir()): Promise<Setups> {
  return (await openSetupFile(dir).read())?.setups ?? {}
}

export async function readSetup(name: string, dir = getConfigDir()): Promise<Setup> {
  const setups = await readSetups(dir)
  const setup = Object.hasOwn(setups, name) ? setups[name] : undefined
  if (setup !== undefined) return setup
  const names = Object.keys(setups).join(', ')
  throw new RelayError('usage', `There is no setup "${name}".`, {
    hint: names === '' ? 'Save one: smsrelay phone setup NAME.' : `Saved setups: ${names}.`,
  })
}

/**
 * Saves a `smsrelay phone` setup in a file that only this user can read; returns whether it
 * replaced one.
 */
export async function saveSetup(
  name: string,
  setup: Setup,
  dir = getConfigDir(),
): Promise<boolean> {
  assertSetupName(name)
  const setups = await readSetups(dir)
  await openSetupFile(dir).write({ setups: { ...setups, [name]: setup } })
  return Object.hasOwn(setups, name)
}

export async function removeSetup(name: string, dir = getConfigDir()): Promise<boolean> {
  const setups = await readSetups(dir)
  if (!Object.hasOwn(setups, name)) return false
  const { [name]: _, ...rest } = setups
  await openSetupFile(dir).write({ setups: rest })
  return true
}

export function assertSetupName(name: string): void {
  if (/^[A-Za-z0-9][\w.-]{0,63}$/.test(name) && name !== '__proto__') return
  throw new RelayError('usage', `The setup name "${name}" is invalid.`, {
    hint: 'Use 1 to 64 letters, digits, dots, dashes and underscores.',
  })
}

/**
 * The file of saved `smsrelay phone` setups. conf only writes it, because loading conf takes long.
 */
function openSetupFile(dir: string): JsonFile<SetupFile> {
  const path = join(dir, 'phones.json')
  return new JsonFile(path, {
    content: 'The setups',
    isValid: isSetupFile,
    damagedHint: 'Move the file away, and save the setups again: smsrelay phone setup NAME.',
    writeHint: 'Set SMSRELAY_CONFIG_DIR to a directory that you may write to.',
    write: async ({ setups }) => {
      const { default: Conf } = await import('conf')
      const options = { configFileMode: 0o600, accessPropertiesByDotNotation: false }
      new Conf({ cwd: dirname(path), configName: 'phones', ...options }).set('setups', setups)
    },
  })
}

function isSetupFile(value: unknown): value is SetupFile {
  if (!isObject(value)) return false
  const { setups = {} } = value
  return isObject(setups) && Object.values(setups).every(isSetup)
}

function isSetup(value: unknown): boolean {
  if (!isObject(value)) return false
  return Object.entries(setupFields).every(([field, kind]) => isFieldValid(value[field], kind))
}

function isFieldValid(value: unknown, kind: FieldKind): boolean {
  if (value === undefined) return true
  if (kind === 'yes') return typeof value === 'boolean'
  if (kind === 'text') return typeof value === 'string'
  return Array.isArray(value) && value.every(each => typeof each === 'string')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
