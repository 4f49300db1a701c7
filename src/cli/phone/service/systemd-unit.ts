import { escapePath, quoteWord } from './systemd-quote.js'

/** Begins every file that is ours, and so may be replaced and removed. */
export const ownFileMarker = '# Written by smsrelay phone service install; uninstall removes it.'

/** Whether the unit belongs to the system or to one person. */
export type Scope = 'system' | 'user'

/** What a unit is made of. */
export interface UnitPlan {
  readonly scope: Scope
  /** Without `.service`. */
  readonly name: string
  /** Program and arguments; nothing in them is secret. */
  readonly command: readonly string[]
  /** Where the secrets are. */
  readonly environmentFile?: string | undefined
  /** Whether a driver runs any program of the user's, which may need what confinement takes away. */
  readonly runsPrograms: boolean
  /** Groups that may open the device. */
  readonly groups: readonly string[]
  /** System only. @default a user that is there while the unit runs */
  readonly runAs?: string | undefined
  /** Directory of the journal, where it is not to be the unit's own. */
  readonly journal?: string | undefined
}

/** What holds in a system unit and in a user's, and does not keep V8 from compiling. */
const confinement = [
  ...['NoNewPrivileges=yes', 'LockPersonality=yes', 'RestrictRealtime=yes'],
  ...['RestrictSUIDSGID=yes', 'RestrictNamespaces=yes', 'SystemCallArchitectures=native'],
  'RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK',
]

/** ProtectClock= and PrivateDevices= are left out: they take serial devices away (systemd.exec(5)). */
const systemConfinement = [
  ...['ProtectSystem=strict', 'ProtectHome=read-only', 'PrivateTmp=yes', 'ProtectHostname=yes'],
  ...['ProtectKernelTunables=yes', 'ProtectKernelModules=yes', 'ProtectKernelLogs=yes'],
  ...['ProtectControlGroups=yes', 'CapabilityBoundingSet='],
]

/** The unit file of a phone (systemd.unit(5)). */
export function formatUnit(plan: UnitPlan): string {
  const { scope, name, command } = plan
  const network = ['Wants=network-online.target', 'After=network-online.target']
  const lines = [
    ...[ownFileMarker, '[Unit]', `Description=smsrelay: ${name}`],
    ...(scope === 'system' ? network : []),
    ...['', '[Service]', 'Type=exec', `ExecStart=${command.map(quoteWord).join(' ')}`],
    ...formatEnvironmentFile(plan),
    // 2 is a wrong setting and 4 a wrong key: to start again helps neither.
    ...['Restart=on-failure', 'RestartSec=10', 'RestartPreventExitStatus=2 4'],
    // The phone alone is told to stop: a program that is sending a text comes to its end.
    ...['KillMode=mixed', 'TimeoutStopSec=90', 'UMask=0077'],
    ...(scope === 'system' ? formatIdentity(plan) : []),
    ...(plan.runsPrograms ? [] : confinement),
    ...(plan.runsPrograms || scope === 'user' ? [] : systemConfinement),
    ...['', '[Install]', `WantedBy=${scope === 'system' ? 'multi-user' : 'default'}.target`, ''],
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
