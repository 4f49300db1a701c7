import { chmod, readFile, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { RelayError } from '../../../errors.js'
import { writeFileAtomic } from '../../../util/files/atomic-write.js'
import { getFailureReason, isMissingFile } from '../../../util/files/file-error.js'
import { makeDirectory } from '../../../util/files/make-directory.js'
import { getConfigDir } from '../../profile/directories.js'
import { formatEnvironmentLine, ownFileMarker, type Scope } from './systemd-unit.js'

type Env = Readonly<Record<string, string | undefined>>

export interface ServiceFiles {
  readonly unit: string
  readonly environment: string
}

/** Name of the phone's systemd unit; `use` is the name of a setup. */
export function getUnitName(use: string | undefined): string {
  return use === undefined ? 'smsrelay-phone' : `smsrelay-phone-${use}`
}

export function getServiceFiles(scope: Scope, name: string, env: Env): ServiceFiles {
  if (scope === 'system') {
    return { unit: `/etc/systemd/system/${name}.service`, environment: `/etc/smsrelay/${name}.env` }
  }
  const given = env.XDG_CONFIG_HOME
  const config = given?.startsWith('/') === true ? given : join(env.HOME ?? homedir(), '.config')
  return {
    unit: join(config, 'systemd', 'user', `${name}.service`),
    environment: join(getConfigDir(env), `${name}.env`),
  }
}

/**
 * Whether the phone's systemd unit file exists. Throws `configuration` if another program wrote it.
 */
export async function hasOwnFile(path: string): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (isMissingFile(error)) return undefined
    throw serviceFileError('read', path, error)
  })
  if (text === undefined) return false
  if (text.startsWith(ownFileMarker)) return true
  throw new RelayError(
    'configuration',
    `${path} was not written by smsrelay, so it is not changed.`,
    {
      hint: 'Move the file away, or choose another unit name with --use.',
    },
  )
}

/**
 * Writes a systemd unit or its `.env` file; only the owner can read the latter. Throws
 * `configuration`.
 */
export async function writeOwnFile(path: string, text: string): Promise<void> {
  try {
    await makeDirectory(dirname(path), path.endsWith('.env') ? 0o700 : 0o755)
    await writeFileAtomic(path, text)
    if (!path.endsWith('.env')) await chmod(path, 0o644)
  } catch (error) {
    throw serviceFileError('written', path, error)
  }
}

/** Removes a systemd unit's file; false if it does not exist. Throws `configuration`. */
export async function removeOwnFile(path: string): Promise<boolean> {
  if (!(await hasOwnFile(path))) return false
  await rm(path, { force: true }).catch(error => {
    throw serviceFileError('removed', path, error)
  })
  return true
}

export function formatEnvironment(values: Readonly<Record<string, string>>): string {
  const lines = Object.entries(values).map(([name, value]) => formatEnvironmentLine(name, value))
  return `${[ownFileMarker, ...lines].join('\n')}\n`
}

function serviceFileError(action: string, path: string, cause: unknown): RelayError {
  const message = `${path} cannot be ${action} (${getFailureReason(cause)}).`
  return new RelayError('configuration', message, {
    hint: 'A system unit needs root: use sudo, or --user for a unit of your own.',
    cause,
  })
}
