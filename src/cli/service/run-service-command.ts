import { formatDateTime } from '../../domain/time/date-time.js'
import { BaseCommand } from '../command/base-command.js'
import { exitCodes } from '../terminal/exit-codes.js'
import { formatFields } from '../terminal/terminal-text.js'
import { findManager } from './find-manager.js'
import {
  type InstalledService,
  installService,
  requireService,
  uninstallService,
} from './install-service.js'
import { parseScope, type ScopeChoice } from './scope-flags.js'
import type { ServiceJob, ServicePlace } from './service-job.js'
import type { ServiceManager, ServiceState } from './service-manager.js'
import type { Env } from './service-step.js'
import { isHomePath } from './systemd-unit.js'

/** What a command about a service prints. */
export interface ServiceOutput {
  readonly value: object
  readonly text: string
  readonly notes: readonly string[]
}

/**
 * Installs a service, or with `print` only formats its file. Throws `usage` and `configuration`.
 */
export async function runInstall(
  job: ServiceJob,
  manager: ServiceManager,
  { env, print }: { readonly env: Env; readonly print: boolean },
): Promise<ServiceOutput> {
  const { name, scope, environment } = job
  const files = manager.getFiles(job, env)
  const shown = { unit: name, scope, file: files.unit, variables: Object.keys(environment) }
  if (print) {
    const text = manager.format(job, files)
    return { value: { ...shown, text }, text: text.trimEnd(), notes: [] }
  }
  const installed = await installService(job, manager, env)
  const { isStarted } = installed
  return {
    value: { ...shown, started: isStarted },
    text: `${isStarted ? 'Started' : 'Wrote'}: ${files.unit}`,
    notes: formatInstallNotes(installed, job, manager, env),
  }
}

/** Stops and removes a service. Throws `not_found` and `configuration`. */
export async function runUninstall(
  place: ServicePlace,
  manager: ServiceManager,
  env: Env,
): Promise<ServiceOutput> {
  await uninstallService(place, manager, env)
  const { scope, name } = place
  const value = { unit: name, scope, removed: true }
  return { value, text: `Removed the service ${name}.`, notes: [] }
}

/** Shows a service; `isActive` is false if it does not run. Throws `not_found`. */
export async function runStatus(
  place: ServicePlace,
  manager: ServiceManager,
  env: Env,
): Promise<ServiceOutput & { readonly isActive: boolean }> {
  const file = await requireService(place, manager, env)
  const isRunning = await manager.isRunning(place.scope, env)
  const state = isRunning
    ? await manager.getState(place, env)
    : { state: `unknown: ${manager.kind} is not running here` }
  const output = formatStatus(place, file, state, manager.formatLogCommand(place, env))
  return { ...output, isActive: state.state === 'active' }
}

/** The note of a service of a user on systemd, which ends with the user's last session. */
export function formatLingerNote(user: string): string {
  return `To run it while you are signed out: sudo loginctl enable-linger ${user}`
}

/** Notes after a service was installed: how to start it if it was not, and how to watch it. */
function formatInstallNotes(
  { isStarted, steps }: InstalledService,
  job: ServiceJob,
  manager: ServiceManager,
  env: Env,
): string[] {
  const typed = steps.filter(({ mayFail = false }) => !mayFail)
  const start = [
    `${manager.kind} is not running here. To start the service, type:`,
    ...typed.map(({ words }) => `  ${words.join(' ')}`),
  ]
  const isInHome = job.command.slice(0, 2).some(path => isHomePath(path))
  return [
    ...(isStarted ? [] : start),
    `Log: ${manager.formatLogCommand(job, env)}`,
    ...(job.scope === 'system' && isInHome && job.runAs === undefined
      ? ['The program is in a home directory: the service may need --run-as.']
      : []),
  ]
}

/** A service as `service status` prints it. */
function formatStatus(
  place: ServicePlace,
  file: string,
  { since, ...known }: ServiceState,
  log: string,
): ServiceOutput {
  const { scope, name } = place
  const time = since === undefined ? undefined : formatDateTime(since)
  const { state, pid, restarts = 0 } = known
  const fields = {
    service: `${name} (${scope})`,
    state: time === undefined ? state : `${state} since ${time} UTC`,
    ...(pid === undefined ? {} : { pid }),
    ...(restarts === 0 ? {} : { restarts }),
    file,
    log,
  }
  const value = {
    unit: name,
    scope,
    file,
    ...known,
    ...(time === undefined ? {} : { since: time }),
  }
  return { value, text: formatFields(fields), notes: [] }
}

/** What `serve service` and `phone service` do in the same way. */
export abstract class ServiceCommand extends BaseCommand {
  /** Prints the state of a service; the exit code is 6 if it does not run. */
  protected async printStatus(flags: ScopeChoice, name: string): Promise<void> {
    const place = { scope: parseScope(flags), name }
    const { value, text, isActive } = await runStatus(place, findManager(), this.io.env)
    this.print(value, () => text)
    if (!isActive) this.setExitCode(exitCodes.warning)
  }

  /** Stops a service and removes it. */
  protected async uninstall(flags: ScopeChoice, name: string): Promise<void> {
    const place = { scope: parseScope(flags), name }
    const { value, text } = await runUninstall(place, findManager(), this.io.env)
    this.print(value, () => text)
  }
}
