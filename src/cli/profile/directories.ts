import { homedir } from 'node:os'
import { join } from 'node:path'

type Env = Readonly<Record<string, string | undefined>>

export function getDefaultDataDir(env: Env = process.env, platform = process.platform): string {
  if (env.SMSRELAY_DATA_DIR) return env.SMSRELAY_DATA_DIR
  if (platform === 'win32') return join(getLocalAppData(env), 'smsrelay', 'Data')
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'smsrelay')
  // Directories of StateDirectory= in a systemd unit (systemd.exec(5)).
  const [state] = env.STATE_DIRECTORY?.split(':') ?? []
  return state || join(getXdgDirectory(env.XDG_DATA_HOME, '.local', 'share'), 'smsrelay')
}

export function getConfigDir(env: Env = process.env, platform = process.platform): string {
  if (env.SMSRELAY_CONFIG_DIR) return env.SMSRELAY_CONFIG_DIR
  if (platform === 'win32') return join(getLocalAppData(env), 'smsrelay', 'Config')
  if (platform === 'darwin') return join(homedir(), 'Library', 'Preferences', 'smsrelay')
  return join(getXdgDirectory(env.XDG_CONFIG_HOME, '.config'), 'smsrelay')
}

export function getDefaultJournalDir(
  name: string,
  env: Env = process.env,
  platform = process.platform,
): string {
  if (platform === 'win32') return join(getLocalAppData(env), 'smsrelay', 'Phone', name)
  if (platform === 'darwin') {
    return join(homedir(), 'Library', 'Application Support', 'smsrelay-phone', name)
  }
  return join(getXdgDirectory(env.XDG_STATE_HOME, '.local', 'state'), 'smsrelay', name)
}

/** Directory in which `hook listen` saves its position in the event stream. */
export function getStateDir(env: Env = process.env, platform = process.platform): string {
  if (env.SMSRELAY_STATE_DIR) return env.SMSRELAY_STATE_DIR
  if (platform === 'win32') return join(getLocalAppData(env), 'smsrelay', 'State')
  if (platform === 'darwin')
    return join(homedir(), 'Library', 'Application Support', 'smsrelay-state')
  return join(getXdgDirectory(env.XDG_STATE_HOME, '.local', 'state'), 'smsrelay')
}

function getLocalAppData(env: Env): string {
  return env.LOCALAPPDATA || join(homedir(), 'AppData', 'Local')
}

/** Ignores a relative path for profiles, as the XDG Base Directory Specification demands. */
function getXdgDirectory(directory: string | undefined, ...fallback: string[]): string {
  return directory?.startsWith('/') === true ? directory : join(homedir(), ...fallback)
}
