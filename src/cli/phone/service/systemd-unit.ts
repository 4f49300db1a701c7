/** The first line of every file that this program may replace and remove. */
export const ownFileMarker = '# Written by smsrelay phone service install; uninstall removes it.'

export type Scope = 'system' | 'user'

export interface UnitPlan {
  readonly scope: Scope
  /** Name of the systemd unit without `.service`. */
  readonly name: string
  readonly command: readonly string[]
  readonly environmentFile?: string | undefined
  /** Whether a driver runs a program of the user, which systemd's confinement could break. */
  readonly runsPrograms: boolean
  readonly groups: readonly string[]
  /** User of a systemd system unit. @default a dynamic user */
  readonly runAs?: string | undefined
  /** Directory of the phone's journal. @default the state directory of the systemd unit */
  readonly journal?: string | undefined
}

const plainWord = /^[A-Za-z0-9_./:=+@,~-]+$/
const namedEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/**
 * Confinement of systemd units, system and user. It excludes settings that V8's compiler cannot run
 * with.
 */
const confinement = [
  'NoNewPrivileges=yes',
  'LockPersonality=yes',
  'RestrictRealtime=yes',
  'RestrictSUIDSGID=yes',
  'RestrictNamespaces=yes',
  'SystemCallArchitectures=native',
  'RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK',
]

/**
 * Confinement of systemd system units, without ProtectClock= and PrivateDevices=, which block
 * serial devices (systemd.exec(5)).
 */
const systemConfinement = [
  'ProtectSystem=strict',
  'ProtectHome=read-only',
  'PrivateTmp=yes',
  'ProtectHostname=yes',
  'ProtectKernelTunables=yes',
  'ProtectKernelModules=yes',
  'ProtectKernelLogs=yes',
  'ProtectControlGroups=yes',
  'CapabilityBoundingSet=',
]

/** Formats the phone's systemd unit file (systemd.unit(5)). */
export function formatUnit(plan: UnitPlan): string {
  const { scope, name, command } = plan
  const network = ['Wants=network-online.target', 'After=network-online.target']
  const lines = [
    ownFileMarker,
    '[Unit]',
    `Description=smsrelay: ${name}`,
    ...(scope === 'system' ? network : []),
    '',
    '[Service]',
    'Type=exec',
    `ExecStart=${command.map(quoteWord).join(' ')}`,
    ...formatEnvironmentFile(plan),
    // A restart of the phone's unit does not fix wrong settings (exit code 2) or wrong keys (4).
    'Restart=on-failure',
    'RestartSec=10',
    'RestartPreventExitStatus=2 4',
    // Only the phone gets systemd's signal, so that a program can finish sending a text.
    'KillMode=mixed',
    'TimeoutStopSec=90',
    'UMask=0077',
    ...(scope === 'system' ? formatIdentity(plan) : []),
    ...(plan.runsPrograms ? [] : confinement),
    ...(plan.runsPrograms || scope === 'user' ? [] : systemConfinement),
    '',
    '[Install]',
    `WantedBy=${scope === 'system' ? 'multi-user' : 'default'}.target`,
    '',
  ]
  return lines.join('\n')
}

function formatEnvironmentFile({ environmentFile }: UnitPlan): string[] {
  return environmentFile === undefined ? [] : [`EnvironmentFile=${escapePath(environmentFile)}`]
}

function formatIdentity({ name, runAs, groups, journal }: UnitPlan): string[] {
  return [
    runAs === undefined ? 'DynamicUser=yes' : `User=${runAs}`,
    ...(groups.length === 0 ? [] : [`SupplementaryGroups=${groups.join(' ')}`]),
    ...(journal === undefined
      ? [
          `StateDirectory=${name}`,
          'StateDirectoryMode=0700',
          `Environment=SMSRELAY_JOURNAL_DIR=%S/${name}`,
        ]
      : [`ReadWritePaths=${quoteWord(journal).replaceAll('$$', '$')}`]),
  ]
}

/**
 * Quotes a word of a systemd unit's ExecStart= if needed; doubles `%` and `$` (systemd.service(5)).
 */
export function quoteWord(word: string): string {
  if (plainWord.test(word)) return word
  const escaped = word
    .replace(/[\\"]/g, '\\$&')
    .replace(/[\p{Cc}]/gu, control => namedEscapes[control] ?? toHexEscape(control))
    .replaceAll('%', '%%')
    .replaceAll('$', '$$$$')
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
