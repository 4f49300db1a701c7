import type { ServiceFiles } from './service-files.js'
import type { Scope, ServiceJob, ServicePlace } from './service-job.js'
import type { Env, ServiceStep } from './service-step.js'

/** A service as its manager knows it. */
export interface ServiceState {
  /** `active`, or a word of the manager, such as `inactive`, `failed` or `not loaded`. */
  readonly state: string
  readonly pid?: number
  /** Start of the service, in milliseconds since the epoch. */
  readonly since?: number
  /** How often the manager has restarted the service after a failure. */
  readonly restarts?: number
}

/** The program of an operating system that runs services. */
export interface ServiceManager {
  readonly kind: 'systemd' | 'launchd'
  getFiles(place: ServicePlace, env: Env): ServiceFiles
  /** Formats the file of a service. Throws `usage` for a job that the manager cannot run. */
  format(job: ServiceJob, files: ServiceFiles): string
  /** Whether the manager runs on this machine. */
  isRunning(scope: Scope, env: Env): Promise<boolean>
  /** The steps that start a service, or restart it unless it is new. */
  getStartSteps(place: ServicePlace, files: ServiceFiles, isNew: boolean): readonly ServiceStep[]
  getStopSteps(place: ServicePlace): readonly ServiceStep[]
  /** The steps after the files of a service were removed. */
  getRemovalSteps(place: ServicePlace): readonly ServiceStep[]
  getState(place: ServicePlace, env: Env): Promise<ServiceState>
  /** The command that shows the log of a service. */
  formatLogCommand(place: ServicePlace, env: Env): string
}
