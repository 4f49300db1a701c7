import { limits } from '../limits.js'
import type { BlockReason } from './account.js'

/** Why numbers are listed, as requests and files may say it. */
export const blockReasons = [
  'person',
  'api',
  'stop',
  'import',
] as const satisfies readonly BlockReason[]

/** A text as a note of an entry: as much as is kept of one. */
export function shortened(text: string): string {
  const points = [...text]
  return points.length <= limits.note ? text : points.slice(0, limits.note).join('')
}
