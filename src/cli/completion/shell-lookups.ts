import type { Candidate, CompletionNode, CompletionTable, ValueEntry } from './completion-table.js'

/** How a shell in the family of sh writes the lists of a completion script. */
export interface ListSyntax {
  /** An assignment's value without words. */
  readonly empty: string
  /** Lines that set the local lists `global` and `connection`. */
  readonly common: string
  readonly formatSubcommands: (subcommands: readonly Candidate[]) => string
  /** @param shared `$global` and `$connection`, as far as the command has them */
  readonly formatFlags: (shared: string, flags: readonly Candidate[]) => string
  readonly formatWords: (words: readonly string[]) => string
}

const sharedLists = { none: '', global: '$global', connection: '$global $connection' }

/** The functions of a completion script for bash or zsh that look up commands and values. */
export function formatShellLookups({ nodes, values }: CompletionTable, syntax: ListSyntax): string {
  return `# Sets subcommands and flags of the command $1; fails if there is no such command.
__smsrelay_node() {
${syntax.common}
  subcommands=${syntax.empty} flags=${syntax.empty}
  case $1 in
${nodes.map(node => formatNode(node, syntax)).join('\n')}
    *) return 1 ;;
  esac
}

# Sets kind and items of a value, such as "message list --filter" or "message get 1".
__smsrelay_value() {
  kind=none items=${syntax.empty}
  case $1 in
${values.map(value => formatValue(value, syntax)).join('\n')}
    *) return 1 ;;
  esac
}
`
}

function formatNode(
  { name, subcommands, flags, common }: CompletionNode,
  syntax: ListSyntax,
): string {
  const words =
    subcommands.length === 0 ? '' : ` subcommands=${syntax.formatSubcommands(subcommands)}`
  const all = common === 'none' ? '' : ` flags=${syntax.formatFlags(sharedLists[common], flags)}`
  return `    '${name}')${words}${all} ;;`
}

function formatValue({ keys, kind, words }: ValueEntry, syntax: ListSyntax): string {
  const patterns = keys.map(key => (key.startsWith('* ') ? `*' ${key.slice(2)}'` : `'${key}'`))
  const items = words.length === 0 ? '' : ` items=${syntax.formatWords(words)}`
  return `    ${patterns.join(' | ')}) kind=${kind}${items} ;;`
}
