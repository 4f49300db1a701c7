import { dirname } from 'node:path'
import { RelayError } from '../../../../errors.js'

export type DamageCause =
  | 'line'
  /** Whole lines of a data file are missing, repeated or at the wrong place. */
  | 'order'
  /** A data file has fewer lines than the manifest or its footer requires. */
  | 'short'
  /** A journal lacks the space that follows its last line, so it was cut. */
  | 'cut'
  /** A snapshot of the store has no valid last line. */
  | 'footer'
  /** A data file is not the one that the manifest names. */
  | 'other'
  | 'missing'
  /** A journal with changes is not in the store's manifest. */
  | 'unnamed'
  /** The end of the store's journal is not a whole line. */
  | 'torn'

export interface Damage {
  readonly path: string
  readonly line: number
  /** `torn`: the data file is as an interrupted write leaves it, so a relay starts. */
  readonly kind: 'damaged' | 'torn'
  readonly cause: DamageCause
  /** Bytes of the data file that cannot be read. */
  readonly bytes: number
}

export function createDamage(
  path: string,
  cause: Exclude<DamageCause, 'torn'>,
  line = 0,
  bytes = 0,
): Damage {
  return { path, line, kind: 'damaged', cause, bytes }
}

export function describeDamage({ path, line, cause, bytes }: Damage): string {
  const sentences: Record<DamageCause, string> = {
    line: `${path} is damaged at line ${line}.`,
    order: `Lines of ${path} are missing, repeated or exchanged before the end of line ${line}.`,
    short: `${path} ends after line ${line}, but it had more lines.`,
    cut: `${path} was cut at line ${line}: the space that follows its last line is missing.`,
    footer: `${path} has no valid last line, so lines of it may be missing.`,
    other: `${path} is not the file that the manifest names: it has other content.`,
    missing: `${path} is missing.`,
    unnamed: `${path} has changes, but the manifest does not name it.`,
    torn: `${path} ends with an incomplete line ${line} of ${bytes} bytes.`,
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
