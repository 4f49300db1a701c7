import type { Scope } from '../../service/service-job.js'
import { commonConfinement, quotePath, systemConfinement } from '../../service/systemd-unit.js'

export interface PhoneUnit {
  readonly scope: Scope
  readonly name: string
  /** Whether a driver runs a program of the user, which systemd's confinement could break. */
  readonly runsPrograms: boolean
  /** Groups of the serial devices that the phone opens. */
  readonly groups: readonly string[]
  /** Directory of the phone's journal. @default the state directory of the systemd unit */
  readonly journal?: string | undefined
}

/**
 * The lines that only the unit of a phone has. Its confinement is without ProtectClock= and
 * PrivateDevices=, which block serial devices (systemd.exec(5)).
 */
export function formatPhoneLines(unit: PhoneUnit): string[] {
  const { scope, runsPrograms } = unit
  const isSystem = scope === 'system'
  return [
    'Type=exec',
    // A restart does not fix wrong settings (exit code 2) or wrong keys (4).
    'RestartPreventExitStatus=2 4',
    ...(isSystem ? formatAccess(unit) : []),
    ...(runsPrograms ? [] : commonConfinement),
    ...(runsPrograms || !isSystem
      ? []
      : [...systemConfinement, 'ProtectHome=read-only', 'CapabilityBoundingSet=']),
  ]
}

function formatAccess({ name, groups, journal }: PhoneUnit): string[] {
  return [
    ...(groups.length === 0 ? [] : [`SupplementaryGroups=${groups.join(' ')}`]),
    ...(journal === undefined
      ? [
          `StateDirectory=${name}`,
          'StateDirectoryMode=0700',
          `Environment=SMSRELAY_JOURNAL_DIR=%S/${name}`,
        ]
      : [`ReadWritePaths=${quotePath(journal)}`]),
  ]
}
