import { chmod, mkdir, readFile, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { RelayError } from '../../../errors.js'
import { writeFileAtomic } from '../../../util/files/atomic-write.js'
import { getConfigDir } from '../../profile/directories.js'
import { formatEnvironmentLine } from './systemd-quote.js'
import { ownFileMarker, type Scope } from './systemd-unit.js'

type Env = Readonly<Record<string, string | undefined>>

/** Where the files of a unit are. */
export interface ServiceFiles {
  readonly unit: string
  readonly environment: string
}

/** The name of the unit of a phone, or of one of its setups. */
export function getUnitName(use: string | undefined): string {
  return use === undefined ? 'smsrelay-phone' : `smsrelay-phone-${use}`
}

/** Where systemd, and the phone, look for the files of a unit. */
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

/** Whether a file of ours is there. Throws `configuration` for one that is somebody else's. */
export async function hasOwnFile(path: string): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw serviceFileError('read', path, error)
  })
  if (text === undefined) return false
  if (text.startsWith(ownFileMarker)) return true
  throw new RelayError(
    'configuration',
    `${path} was not written by smsrelay, and stays as it is.`,
    {
      hint: 'Move it away first, or install under another name with --use.',
    },
  )
}

/** Writes a file for its owner alone, as a whole; a unit may be read by all. Throws `configuration`. */
export async function writeOwnFile(path: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: path.endsWith('.env') ? 0o700 : 0o755 })
    await writeFileAtomic(path, text)
    if (!path.endsWith('.env')) await chmod(path, 0o644)
  } catch (error) {
    throw serviceFileError('written', path, error as NodeJS.ErrnoException)
  }
}

/** Removes a file of ours; says whether there was one. */
export async function removeOwnFile(path: string): Promise<boolean> {
  if (!(await hasOwnFile(path))) return false
  await rm(path, { force: true }).catch(error => {
    throw serviceFileError('removed', path, error)
  })
  return true
}

/** The text of a file of variables. */
export function formatEnvironment(values: Readonly<Record<string, string>>): string {
  const lines = Object.entries(values).map(([name, value]) => formatEnvironmentLine(name, value))
  return `${[ownFileMarker, ...lines].join('\n')}\n`
}

function serviceFileError(be: string, path: string, cause: NodeJS.ErrnoException): RelayError {
  return new RelayError(
    'configuration',
    `${path} cannot be ${be} (${cause.code ?? cause.message}).`,
    {
      hint: 'A system unit needs root: sudo. For your own leave --system out.',
      cause,
    },
  )
}
