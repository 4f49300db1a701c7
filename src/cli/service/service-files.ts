import { chmod, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { RelayError } from '../../errors.js'
import { writeFileAtomic } from '../../util/files/atomic-write.js'
import { getFailureReason, isMissingFile } from '../../util/files/file-error.js'
import { makeDirectory } from '../../util/files/make-directory.js'
import { ownFileMark } from './service-job.js'
import type { Env } from './service-step.js'
import { formatEnvironmentLine } from './systemd-unit.js'

/** Environment variables that services of a user do not inherit from the user's shell. */
export const userVariables: readonly string[] = [
  'SMSRELAY_CONFIG_DIR',
  'SMSRELAY_PROFILE',
  'XDG_CONFIG_HOME',
  'XDG_STATE_HOME',
  'NODE_EXTRA_CA_CERTS',
]

/** Begins {@link ownFileMark}; earlier versions went on in other words. */
const writer = 'Written by smsrelay'

/** The paths of a service's files. */
export interface ServiceFiles {
  /** The unit or the property list. */
  readonly unit: string
  /** Variables of the service; undefined if they are in the property list. */
  readonly environment?: string
  /** The service's output; undefined if the system collects it. */
  readonly log?: string
}

/** Whether the service's file exists. Throws `configuration` if another program wrote it. */
export async function hasOwnFile(path: string): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (isMissingFile(error)) return undefined
    throw serviceFileError('read', path, error)
  })
  if (text === undefined) return false
  if (text.split('\n', 2).some(line => line.includes(writer))) return true
  throw new RelayError(
    'configuration',
    `${path} was not written by smsrelay, so it is not changed.`,
    { hint: 'Move the file away, or for a phone choose another name with --use.' },
  )
}

/**
 * Writes a service's file, which only its owner can read if it is private. Throws `configuration`.
 */
export async function writeOwnFile(path: string, text: string, isPrivate: boolean): Promise<void> {
  try {
    await makeDirectory(dirname(path), isPrivate && path.endsWith('.env') ? 0o700 : 0o755)
    await writeFileAtomic(path, text)
    if (!isPrivate) await chmod(path, 0o644)
  } catch (error) {
    throw serviceFileError('written', path, error)
  }
}

/** Removes a service's file; false if it does not exist. Throws `configuration`. */
export async function removeOwnFile(path: string): Promise<boolean> {
  if (!(await hasOwnFile(path))) return false
  await rm(path, { force: true }).catch(error => {
    throw serviceFileError('removed', path, error)
  })
  return true
}

/** Formats the file with the variables of a service. */
export function formatEnvironment(values: Readonly<Record<string, string>>): string {
  const lines = Object.entries(values).map(([name, value]) => formatEnvironmentLine(name, value))
  return `${[`# ${ownFileMark}`, ...lines].join('\n')}\n`
}

/** The variables of the environment that are set, of these names. */
export function pickVariables(env: Env, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap(name => {
      const value = env[name]
      return value === undefined || value === '' ? [] : [[name, value] as const]
    }),
  )
}

function serviceFileError(action: string, path: string, cause: unknown): RelayError {
  const message = `${path} cannot be ${action} (${getFailureReason(cause)}).`
  return new RelayError('configuration', message, {
    hint: 'A service of the machine needs root: use sudo, or --user for a service of your own.',
    cause,
  })
}
