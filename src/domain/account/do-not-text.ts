import { limits } from '../limits.js'
import type { DoNotTextReason } from './account.js'

/** Why numbers are listed, as requests and files may say it. */
export const doNotTextReasons = [
  'person',
  'api',
  'stop',
  'import',
] as const satisfies readonly DoNotTextReason[]

/** A text as a note of an entry: as much as is kept of one. */
export function shortenNote(text: string): string {
  const points = [...text]
  return points.length <= limits.note ? text : points.slice(0, limits.note).join('')
}
