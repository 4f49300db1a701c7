import type { DoNotTextEntry } from '../../../domain/account/account.js'

const reasonLabels = {
  person: 'added by a person',
  api: 'added by a program',
  stop: 'opted out by keyword',
  import: 'imported',
} as const

/** The dashboard shows accounts the numbers of the list for all accounts, but not the notes. */
export function describeReason(entry: DoNotTextEntry): string {
  if (isGlobalEntry(entry)) return 'listed for all accounts'
  return entry.reason === undefined ? '' : reasonLabels[entry.reason]
}

const originLabels: Readonly<Record<string, string>> = {
  'api key': 'API key',
  'app key': 'application key',
  administration: 'operator of the relay',
}

/** Who added the number to the list; a recipient's own STOP has the reason. */
export function describeOrigin(entry: DoNotTextEntry): string {
  const { by = '', number } = entry
  if (isGlobalEntry(entry)) return ''
  return by === number ? 'the recipient' : (originLabels[by] ?? by)
}

export function isGlobalEntry({ scope }: DoNotTextEntry): boolean {
  return scope === '*'
}
