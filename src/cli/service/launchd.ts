import { homedir } from 'node:os'
import { join } from 'node:path'
import { RelayError } from '../../errors.js'
import { formatPlist } from './launchd-plist.js'
import type { Scope, ServicePlace } from './service-job.js'
import type { ServiceManager } from './service-manager.js'
import { type Env, execStep, type ServiceStep } from './service-step.js'

export const launchd: ServiceManager = {
  kind: 'launchd',
  getFiles: (place, env) => {
    const isSystem = place.scope === 'system'
    const folder = isSystem ? '/Library/LaunchDaemons' : inLibrary(env, 'LaunchAgents')
    return { unit: join(folder, `${place.name}.plist`), log: getLogFile(place, env) }
  },
  format: (job, { log = '' }) => {
    if (job.scope === 'system' && job.runAs === undefined) {
      throw new RelayError('usage', 'A service of the machine would run as root.', {
        hint: 'Name a user with --run-as, or use --user.',
      })
    }
    return formatPlist(job, log)
  },
  isRunning: async (scope, env) => {
    const { isMissing, status } = await execStep(['launchctl', 'print', getDomain(scope)], env)
    return !isMissing && status === 0
  },
  getStartSteps: (place, { unit }) => [
    { words: ['launchctl', 'enable', getTarget(place)] },
    unload(place),
    { words: ['launchctl', 'bootstrap', getDomain(place.scope), unit] },
  ],
  getStopSteps: place => [unload(place)],
  getRemovalSteps: () => [],
  getState: async (place, env) => {
    const { status, stdout } = await execStep(['launchctl', 'print', getTarget(place)], env)
    if (status !== 0) return { state: 'not loaded' }
    const state = /^\s*state = (.+)$/m.exec(stdout)?.[1] ?? 'unknown'
    const pid = /^\s*pid = (\d+)$/m.exec(stdout)?.[1]
    return {
      state: state === 'running' ? 'active' : state,
      ...(pid === undefined ? {} : { pid: Number(pid) }),
    }
  },
  formatLogCommand: (place, env) => `tail -f ${getLogFile(place, env)}`,
}

/** A job that is not loaded cannot be unloaded; `bootout` can return before a job has ended. */
function unload(place: ServicePlace): ServiceStep {
  const target = getTarget(place)
  const inProgress = ['launchctl', 'print', target]
  return { words: ['launchctl', 'bootout', target], mayFail: true, inProgress }
}

function inLibrary(env: Env, ...names: readonly string[]): string {
  return join(env.HOME ?? homedir(), 'Library', ...names)
}

function getLogFile({ scope, name }: ServicePlace, env: Env): string {
  return scope === 'system' ? `/var/log/${name}.log` : inLibrary(env, 'Logs', `${name}.log`)
}

function getDomain(scope: Scope): string {
  return scope === 'system' ? 'system' : `gui/${process.getuid?.() ?? 0}`
}

function getTarget({ scope, name }: ServicePlace): string {
  return `${getDomain(scope)}/${name}`
}
