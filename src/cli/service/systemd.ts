import { homedir } from 'node:os'
import { join } from 'node:path'
import { getConfigDir } from '../profile/directories.js'
import type { Scope } from './service-job.js'
import type { ServiceManager } from './service-manager.js'
import { type Env, execStep } from './service-step.js'
import { formatUnit, getScopeFlags, getUnitFileName } from './systemd-unit.js'

const shownProperties = ['ActiveState', 'MainPID', 'ActiveEnterTimestamp', 'NRestarts']

/** The oldest systemd that opens its socket for notifications for a service (`OpenFile=`). */
export const notifyVersion = 253

export const systemd: ServiceManager = {
  kind: 'systemd',
  getFiles: ({ scope, name }, env) => {
    const unit = getUnitFileName(name)
    if (scope === 'system') {
      const environment = `/etc/smsrelay/${name}.env`
      return { unit: `/etc/systemd/system/${unit}`, environment }
    }
    const given = env.XDG_CONFIG_HOME
    const config = given?.startsWith('/') === true ? given : join(env.HOME ?? homedir(), '.config')
    return {
      unit: join(config, 'systemd', 'user', unit),
      environment: join(getConfigDir(env), `${name}.env`),
    }
  },
  format: (job, { environment = '' }) => formatUnit(job, environment),
  isRunning: async (scope, env) => {
    const { isMissing, stdout } = await execStep(systemctl(scope, 'is-system-running'), env)
    return !isMissing && !['', 'offline', 'unknown'].includes(stdout.trim())
  },
  getStartSteps: ({ scope, name }, _, isNew) => {
    const unit = getUnitFileName(name)
    const start = isNew
      ? [['enable', '--now', unit]]
      : [
          ['enable', unit],
          ['restart', unit],
        ]
    return [['daemon-reload'], ...start].map(words => ({ words: systemctl(scope, ...words) }))
  },
  getStopSteps: ({ scope, name }) => [
    { words: systemctl(scope, 'disable', '--now', getUnitFileName(name)) },
  ],
  getRemovalSteps: ({ scope }) => [{ words: systemctl(scope, 'daemon-reload') }],
  getState: async ({ scope, name }, env) => {
    const show = ['show', getUnitFileName(name), '--timestamp=unix']
    const properties = `--property=${shownProperties.join(',')}`
    const { stdout } = await execStep(systemctl(scope, ...show, properties), env)
    const found = new Map(stdout.split('\n').map(line => splitProperty(line)))
    const pid = Number(found.get('MainPID'))
    const since = /^@(\d+)$/.exec(found.get('ActiveEnterTimestamp') ?? '')?.[1]
    const restarts = found.get('NRestarts')
    return {
      state: found.get('ActiveState') ?? 'unknown',
      ...(pid > 0 ? { pid } : {}),
      ...(since === undefined ? {} : { since: Number(since) * 1000 }),
      ...(restarts === undefined ? {} : { restarts: Number(restarts) }),
    }
  },
  formatLogCommand: ({ scope, name }) =>
    ['journalctl', ...getScopeFlags(scope), '-u', name, '-f'].join(' '),
}

/** The number of the installed systemd's version; undefined without systemd. */
export async function getSystemdVersion(env: Env): Promise<number | undefined> {
  const { stdout } = await execStep(['systemctl', '--version'], env)
  const version = /^systemd (\d+)/.exec(stdout)?.[1]
  return version === undefined ? undefined : Number(version)
}

function systemctl(scope: Scope, ...args: readonly string[]): readonly string[] {
  return ['systemctl', ...getScopeFlags(scope), ...args]
}

function splitProperty(line: string): readonly [string, string] {
  const at = line.indexOf('=')
  return [line.slice(0, at), line.slice(at + 1)]
}
