import { limits } from '../limits.js'
import type { DoNotTextReason } from './account.js'

export const doNotTextReasons = [
  'person',
  'api',
  'stop',
  'import',
] as const satisfies readonly DoNotTextReason[]

export function shortenNote(text: string): string {
  const characters = [...text]
  return characters.length <= limits.note ? text : characters.slice(0, limits.note).join('')
}
