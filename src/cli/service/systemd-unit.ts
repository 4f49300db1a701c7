import { ownFileMark, type Scope, type ServiceJob } from './service-job.js'

const plainWord = /^[A-Za-z0-9_./:=+@,~-]+$/
const namedEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/**
 * Confinement of systemd units, system and user. It excludes settings that V8's compiler cannot run
 * with.
 */
export const commonConfinement: readonly string[] = [
  'NoNewPrivileges=yes',
  'LockPersonality=yes',
  'RestrictRealtime=yes',
  'RestrictSUIDSGID=yes',
  'RestrictNamespaces=yes',
  'SystemCallArchitectures=native',
  'RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK',
]

/** Confinement of systemd system units that also fits drivers of serial devices. */
export const systemConfinement: readonly string[] = [
  'ProtectSystem=strict',
  'PrivateTmp=yes',
  'ProtectHostname=yes',
  'ProtectKernelTunables=yes',
  'ProtectKernelModules=yes',
  'ProtectKernelLogs=yes',
  'ProtectControlGroups=yes',
  'ProtectProc=invisible',
  'ProcSubset=pid',
  'RemoveIPC=yes',
  'SystemCallFilter=@system-service',
  'SystemCallFilter=~@privileged @resources',
  'SystemCallErrorNumber=EPERM',
]

/** Formats a service's systemd unit file (systemd.unit(5)). */
export function formatUnit(job: ServiceJob, environmentFile: string): string {
  const { scope, name, command, environment, stopTime, unitLines } = job
  const network = ['Wants=network-online.target', 'After=network-online.target']
  const hasVariables = Object.keys(environment).length > 0
  const lines = [
    `# ${ownFileMark}`,
    '[Unit]',
    `Description=${name.replaceAll('-', ' ')}`,
    ...(scope === 'system' ? network : []),
    '',
    '[Service]',
    `ExecStart=${command.map(quoteWord).join(' ')}`,
    ...(hasVariables ? [`EnvironmentFile=${escapePath(environmentFile)}`] : []),
    'Restart=on-failure',
    'RestartSec=10',
    // Only the program of the unit gets systemd's signal, and can end its own children in order.
    'KillMode=mixed',
    `TimeoutStopSec=${stopTime}`,
    'UMask=0077',
    ...(scope === 'system' ? formatUser(job) : []),
    ...unitLines,
    '',
    '[Install]',
    `WantedBy=${scope === 'system' ? 'multi-user' : 'default'}.target`,
    '',
  ]
  return lines.join('\n')
}

function formatUser({ runAs }: ServiceJob): string[] {
  // Without libnss-systemd a dynamic user has no home directory, which Node and packages ask for.
  return runAs === undefined ? ['DynamicUser=yes', 'Environment=HOME=/'] : [`User=${runAs}`]
}

/** Name of the unit that systemd runs a service as. */
export function getUnitFileName(name: string): string {
  return `${name}.service`
}

/** The flags with which systemd's programs choose the manager of a scope. */
export function getScopeFlags(scope: Scope): readonly string[] {
  return scope === 'user' ? ['--user'] : []
}

/** Whether a path is in a home directory, which a system service may not read. */
export function isHomePath(path: string): boolean {
  return /^\/(home|root|Users)\//.test(path)
}

/**
 * Quotes a word of a systemd unit's ExecStart= if needed; doubles `%` and `$` (systemd.service(5)).
 */
export function quoteWord(word: string): string {
  if (plainWord.test(word)) return word
  return quote(word).replaceAll('$', '$$$$')
}

/** Quotes a path in a systemd unit's list of paths, such as ReadWritePaths= (systemd.unit(5)). */
export function quotePath(path: string): string {
  return plainWord.test(path) ? path : quote(path)
}

function quote(word: string): string {
  const escaped = word
    .replace(/[\\"]/g, '\\$&')
    .replace(/[\p{Cc}]/gu, control => namedEscapes[control] ?? toHexEscape(control))
    .replaceAll('%', '%%')
  return `"${escaped}"`
}

/**
 * Escapes a path that is a whole value of a systemd unit, where quotes have no meaning
 * (systemd.unit(5)).
 */
export function escapePath(path: string): string {
  return path.replaceAll('%', '%%')
}

/** Formats a line of a systemd EnvironmentFile= (systemd.exec(5)). */
export function formatEnvironmentLine(name: string, value: string): string {
  return `${name}="${value.replace(/[\\"`$]/g, '\\$&')}"`
}

function toHexEscape(control: string): string {
  return `\\x${control.charCodeAt(0).toString(16).padStart(2, '0')}`
}
