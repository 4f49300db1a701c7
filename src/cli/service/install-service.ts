import { RelayError } from '../../errors.js'
import { formatEnvironment, hasOwnFile, removeOwnFile, writeOwnFile } from './service-files.js'
import type { ServiceJob, ServicePlace } from './service-job.js'
import type { ServiceManager } from './service-manager.js'
import { type Env, runStep, type ServiceStep } from './service-step.js'

/** An installed service. */
export interface InstalledService {
  /** The unit or the property list. */
  readonly file: string
  /** False if the service manager does not run on this machine. */
  readonly isStarted: boolean
  /** The steps that start the service. */
  readonly steps: readonly ServiceStep[]
}

/**
 * Writes the files of a service and starts it; a service that was there is replaced and restarted.
 * Throws `configuration`, and nothing is changed if another program wrote one of the files.
 */
export async function installService(
  job: ServiceJob,
  manager: ServiceManager,
  env: Env,
): Promise<InstalledService> {
  const files = manager.getFiles(job, env)
  const text = manager.format(job, files)
  const isNew = !(await hasOwnFile(files.unit))
  const hasSecrets = Object.keys(job.environment).length > 0
  if (files.environment === undefined) await writeOwnFile(files.unit, text, hasSecrets)
  else {
    await hasOwnFile(files.environment)
    if (!hasSecrets) await removeOwnFile(files.environment)
    else await writeOwnFile(files.environment, formatEnvironment(job.environment), true)
    await writeOwnFile(files.unit, text, false)
  }
  const steps = manager.getStartSteps(job, files, isNew)
  const isStarted = await manager.isRunning(job.scope, env)
  if (isStarted) for (const step of steps) await runStep(step, env)
  return { file: files.unit, isStarted, steps }
}

/** Stops a service and removes its files. Throws `not_found` and `configuration`. */
export async function uninstallService(
  place: ServicePlace,
  manager: ServiceManager,
  env: Env,
): Promise<void> {
  const files = manager.getFiles(place, env)
  await requireService(place, manager, env)
  const isRunning = await manager.isRunning(place.scope, env)
  if (isRunning) for (const step of manager.getStopSteps(place)) await runStep(step, env)
  await removeOwnFile(files.unit)
  if (files.environment !== undefined) await removeOwnFile(files.environment)
  if (isRunning) for (const step of manager.getRemovalSteps(place)) await runStep(step, env)
}

/** Returns the file of an installed service. Throws `not_found` and `configuration`. */
export async function requireService(
  place: ServicePlace,
  manager: ServiceManager,
  env: Env,
): Promise<string> {
  const { unit } = manager.getFiles(place, env)
  if (await hasOwnFile(unit)) return unit
  const { scope, name } = place
  throw new RelayError('not_found', `There is no ${scope} service ${name}: ${unit}.`, {
    hint: `Try ${scope === 'user' ? '--system' : '--user'}. For a phone name its setup with --use.`,
  })
}
