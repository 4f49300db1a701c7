import { RelayError } from '../../errors.js'
import { assertRunAs } from './scope-flags.js'
import { pickVariables, userVariables } from './service-files.js'
import type { Scope, ServiceJob } from './service-job.js'
import type { Env } from './service-step.js'
import {
  commonConfinement,
  escapePath,
  isHomePath,
  quotePath,
  systemConfinement,
} from './systemd-unit.js'

/** Name of the relay's service. */
export const relayServiceName = 'smsrelay'

/** The settings of a relay that decide what its service may do. */
export interface RelayServiceSettings {
  /** Ports that the service's relay listens on. */
  readonly ports: readonly number[]
  /** Data directory of the service's relay. @default the state directory of the systemd unit */
  readonly data?: string | undefined
  /** Other files of the configuration, such as certificates. */
  readonly files: readonly string[]
}

export interface RelayServiceRequest {
  readonly scope: Scope
  readonly runAs?: string | undefined
  /** Absolute path of the configuration file. */
  readonly config?: string | undefined
  readonly settings: RelayServiceSettings
  readonly program: readonly string[]
  readonly env: Env
  /** File with secret variables of a systemd unit, which the operator may create. */
  readonly secretFile: string
  /** systemd's socket for notifications, if it can pass it to the service. */
  readonly notifySocket?: string | undefined
}

/** Seconds that the relay has to stop, with the longest --drain-delay. */
const stopTime = 60
/** The state directory of the unit (systemd.exec(5), StateDirectory=). */
const stateDirectory = `/var/lib/${relayServiceName}`
/** The variables that say where the relay of a user has its records. */
const dataVariables = ['SMSRELAY_DATA_DIR', 'XDG_DATA_HOME']

/** Confinement of the relay's systemd unit, which opens no device. V8 compiles code in memory. */
const relayConfinement = [
  ...commonConfinement,
  ...systemConfinement,
  'PrivateDevices=yes',
  'ProtectClock=yes',
]

/** Plans the service of a relay. Throws `usage`. */
export function planRelayService(request: RelayServiceRequest): ServiceJob {
  const { scope, runAs, config, program, env } = request
  assertRunAs(scope, runAs)
  assertDirectory(request)
  return {
    scope,
    name: relayServiceName,
    command: [...program, 'serve', ...(config === undefined ? [] : [`--config=${config}`])],
    environment: scope === 'user' ? pickVariables(env, [...userVariables, ...dataVariables]) : {},
    runAs,
    stopTime,
    unitLines: formatRelayLines(request),
  }
}

function assertDirectory({ scope, runAs, settings: { data } }: RelayServiceRequest): void {
  if (scope === 'user' || runAs !== undefined) return
  if (data === undefined || data === stateDirectory) return
  const message = `A service without --run-as cannot use the data directory ${data}.`
  throw new RelayError('usage', message, {
    hint: `Name its owner with --run-as, or leave out data, which is then ${stateDirectory}.`,
  })
}

function formatRelayLines(request: RelayServiceRequest): string[] {
  const { scope, secretFile, notifySocket } = request
  return [
    // systemd replaces no specifiers, such as %t, in OpenFile=.
    ...(notifySocket === undefined
      ? ['Type=exec']
      : ['Type=notify', `OpenFile=${notifySocket}:notify`, 'WatchdogSec=60']),
    // Damaged or many records can make a start long; they are no reason to begin again.
    'TimeoutStartSec=15min',
    'ExecReload=/bin/kill -HUP $MAINPID',
    `EnvironmentFile=-${escapePath(secretFile)}`,
    // A restart does not fix wrong settings.
    'RestartPreventExitStatus=2',
    ...(scope === 'system' ? formatSystemLines(request) : commonConfinement),
  ]
}

function formatSystemLines({ config, program, settings }: RelayServiceRequest): string[] {
  const { ports, data, files } = settings
  const paths = [...program, ...files, config ?? '', data ?? '']
  const isPrivileged = ports.some(port => port > 0 && port < 1024)
  return [
    `StateDirectory=${relayServiceName}`,
    'StateDirectoryMode=0700',
    // For a Unix socket of the relay.
    `RuntimeDirectory=${relayServiceName}`,
    `Environment=SMSRELAY_CONFIG_DIR=%S/${relayServiceName}/profiles`,
    ...(data === undefined || data === stateDirectory ? [] : [`ReadWritePaths=${quotePath(data)}`]),
    ...relayConfinement,
    `ProtectHome=${paths.some(isHomePath) ? 'read-only' : 'yes'}`,
    // A capability of the machine's network has no effect in a user namespace.
    ...(isPrivileged
      ? ['AmbientCapabilities=CAP_NET_BIND_SERVICE', 'CapabilityBoundingSet=CAP_NET_BIND_SERVICE']
      : ['CapabilityBoundingSet=', 'PrivateUsers=yes']),
  ]
}
