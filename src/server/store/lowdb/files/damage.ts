import { dirname } from 'node:path'
import { RelayError } from '../../../../errors.js'

export type DamageCause =
  /** A line is wrong, missing, repeated or at the wrong place. */
  | 'line'
  /** The end of a data file is missing. */
  | 'end'
  /** The manifest names a data file of other content, or does not name a journal with changes. */
  | 'other'
  | 'missing'

export interface Damage {
  readonly path: string
  readonly line: number
  /** `torn`: the data file is as an interrupted write leaves it, so a relay starts. */
  readonly kind: 'damaged' | 'torn'
  readonly cause: DamageCause
  /** Bytes of the data file that cannot be read. */
  readonly bytes: number
}

export function createDamage(path: string, cause: DamageCause, line = 0, bytes = 0): Damage {
  return { path, line, kind: 'damaged', cause, bytes }
}

export function describeDamage({ path, line, kind, cause, bytes }: Damage): string {
  if (kind === 'torn') return `${path} ends with an incomplete line ${line} of ${bytes} bytes.`
  const sentences: Record<DamageCause, string> = {
    line:
      `${path} is damaged at line ${line}. The line is wrong, or lines before it are missing, ` +
      'repeated or exchanged.',
    end: `${path} ends after line ${line}, but it was longer.`,
    other: `${path} is not what the manifest says: one of the two is older, or of another relay.`,
    missing: `${path} is missing.`,
  }
  return sentences[cause]
}

function damagedDataError(damage: Damage): RelayError {
  const directory = dirname(damage.path)
  return new RelayError('damaged_data', describeDamage(damage), {
    hint:
      'Nothing was changed. Replace the directory by a backup, or save its intact records with ' +
      `\`smsrelay data repair --data ${directory}\`.`,
  })
}

export function assertUndamaged(damages: readonly Damage[]): void {
  const damage = damages.find(each => each.kind === 'damaged')
  if (damage !== undefined) throw damagedDataError(damage)
}

export function describeTornLine(path: string, bytes: number, copy: string): string {
  return (
    `${path} ended with an incomplete line of ${bytes} bytes, which was removed and is kept in ` +
    `${copy}. A write that was interrupted leaves this, and no reply depended on it. If nothing ` +
    'interrupted the relay, the disk has damaged a stored change: check the disk, and read the ' +
    `change with \`cat ${copy}\`.`
  )
}
