import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorText, RelayError } from '../../../errors.js'
import { getConfigDir } from '../../profile/directories.js'

/** Flags of `smsrelay phone` that are saved under a name, as they were typed. */
export interface Setup {
  readonly driver?: readonly string[] | undefined
  readonly command?: string | undefined
  readonly 'exec-timeout'?: string | undefined
  readonly delay?: string | undefined
  readonly 'failure-rate'?: string | undefined
  readonly seed?: string | undefined
  readonly option?: readonly string[] | undefined
  readonly route?: readonly string[] | undefined
  readonly concurrency?: string | undefined
  readonly rate?: readonly string[] | undefined
  readonly quiet?: readonly string[] | undefined
  readonly 'time-zone'?: string | undefined
  readonly journal?: string | undefined
  readonly 'no-journal'?: boolean | undefined
  readonly 'no-forward'?: boolean | undefined
  readonly name?: string | undefined
  readonly profile?: string | undefined
}

type FieldKind = 'list' | 'text' | 'yes'

/** What may be in a {@link Setup}, in the order in which it is shown. */
export const setupFields = {
  driver: 'list',
  command: 'text',
  'exec-timeout': 'text',
  delay: 'text',
  'failure-rate': 'text',
  seed: 'text',
  option: 'list',
  route: 'list',
  concurrency: 'text',
  rate: 'list',
  quiet: 'list',
  'time-zone': 'text',
  journal: 'text',
  'no-journal': 'yes',
  'no-forward': 'yes',
  name: 'text',
  profile: 'text',
} as const satisfies Record<keyof Setup, FieldKind>

type Setups = Readonly<Record<string, Setup>>
const fileName = 'phones.json'

/** Every saved setup by name. Throws `damaged_data`. */
export async function readSetups(dir = getConfigDir()): Promise<Setups> {
  const path = join(dir, fileName)
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '{}'
    throw new RelayError('damaged_data', `The setups in ${path} cannot be read.`, {
      hint: 'Check who owns the file.',
      cause: error,
    })
  })
  return parseSetups(text, path)
}

/** A saved setup. Throws `usage` when there is none of that name, and `damaged_data`. */
export async function readSetup(name: string, dir = getConfigDir()): Promise<Setup> {
  const setups = await readSetups(dir)
  const found = Object.hasOwn(setups, name) ? setups[name] : undefined
  if (found !== undefined) return found
  const names = Object.keys(setups).join(', ')
  throw new RelayError('usage', `There is no setup "${name}".`, {
    hint: names === '' ? 'Make one: smsrelay phone setup NAME.' : `There are ${names}.`,
  })
}

/** Saves a setup in a file that only this user may read; says whether it replaced one. */
export async function saveSetup(
  name: string,
  setup: Setup,
  dir = getConfigDir(),
): Promise<boolean> {
  assertSetupName(name)
  const setups = await readSetups(dir)
  await writeSetups({ ...setups, [name]: setup }, dir)
  return Object.hasOwn(setups, name)
}

/** Forgets a setup; says whether there was one. */
export async function removeSetup(name: string, dir = getConfigDir()): Promise<boolean> {
  const setups = await readSetups(dir)
  if (!Object.hasOwn(setups, name)) return false
  const { [name]: _, ...rest } = setups
  await writeSetups(rest, dir)
  return true
}

/** Throws `usage` for a name that no file or unit should have. */
export function assertSetupName(name: string): void {
  if (/^[A-Za-z0-9][\w.-]{0,63}$/.test(name) && name !== '__proto__') return
  throw new RelayError('usage', 'A setup is named with letters, digits, dots and dashes.')
}

async function writeSetups(setups: Setups, cwd: string): Promise<void> {
  try {
    await mkdir(cwd, { recursive: true, mode: 0o700 })
    const { default: Conf } = await import('conf')
    const name = fileName.replace('.json', '')
    const options = { configFileMode: 0o600, accessPropertiesByDotNotation: false }
    new Conf({ cwd, configName: name, ...options }).set('setups', setups)
  } catch (cause) {
    const reason = errorText(cause)
    throw new RelayError('configuration', `The setup cannot be saved (${reason}).`, {
      hint: 'Set SMSRELAY_CONFIG_DIR to a directory that you may write to.',
      cause,
    })
  }
}

function parseSetups(text: string, path: string): Setups {
  try {
    const stored: unknown = JSON.parse(text)
    const setups = isObject(stored) ? (stored.setups ?? {}) : undefined
    if (isObject(setups) && Object.values(setups).every(isSetup)) return setups as Setups
  } catch {
    // Told below, like every other damage.
  }
  throw new RelayError('damaged_data', `The setups in ${path} are damaged.`, {
    hint: 'Move the file away and make them anew: smsrelay phone setup NAME.',
  })
}

/** What a newer version has saved beside is let be. */
function isSetup(value: unknown): boolean {
  if (!isObject(value)) return false
  return Object.entries(setupFields).every(([part, kind]) => isFieldValid(value[part], kind))
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
