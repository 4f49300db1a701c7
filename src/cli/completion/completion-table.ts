// Completion with Tab in four shells.
//
// 1. `completion-table` makes one table from oclif's manifest: the words and flags that may follow
//    a command, and the values that a flag or argument takes.
// 2. `bash-script`, `zsh-script`, `fish-script` and `powershell-script` write it as a script of
//    their shell. The scripts find the command on the line in the same way.
// 3. Only values that the table cannot have, such as the ids of messages, are asked of the hidden
//    command `complete`, which `complete-values` answers.
import { eventNames } from '../../domain/webhook/event.js'
import {
  type CommandLine,
  listFlags,
  type ManifestArgument,
  type ManifestCommand,
  type ManifestFlag,
  toCommandName,
} from '../reference/command-manifest.js'

/** A word that completion offers, with its explanation. */
export interface Candidate {
  readonly word: string
  readonly description: string
}

/** A command or topic: the words and flags that may follow it. */
export interface CompletionNode {
  /** Its words, such as `message send`; '' is the program itself. */
  readonly name: string
  readonly subcommands: readonly Candidate[]
  readonly flags: readonly Candidate[]
  /** The flags of every command also follow it, or these and the connection flags. */
  readonly common: 'none' | 'global' | 'connection'
}

/** Values that the hidden command `complete` prints. */
export const valueSources = ['profiles', 'setups', 'subscriptions', 'messages'] as const
export type ValueSource = (typeof valueSources)[number]

/** What a flag or an argument takes: `none` is a text that nothing can complete. */
export interface CompletionValue {
  readonly kind: 'words' | 'files' | 'directories' | 'none' | ValueSource
  readonly words: readonly string[]
}

/** The value of `COMMAND --flag` or, by its number, of an argument: `COMMAND 1`. */
export interface ValueEntry extends CompletionValue {
  /** With `*` as the command, for the flag of each command. */
  readonly keys: readonly string[]
}

export interface CompletionTable {
  readonly global: readonly Candidate[]
  readonly connection: readonly Candidate[]
  readonly nodes: readonly CompletionNode[]
  /** Entries of one command come before those of all commands. Switches have no entry. */
  readonly values: readonly ValueEntry[]
}

const drivers = [
  ...['modem', 'smpp', 'http', 'termux', 'gammu', 'mmcli', 'kdeconnect', 'exec', 'simulate'],
]
const wordsByName: Readonly<Record<string, readonly string[]>> = {
  driver: drivers,
  event: eventNames,
  events: eventNames,
  until: eventNames,
}
const sourceByName: Readonly<Record<string, ValueSource>> = {
  profile: 'profiles',
  use: 'setups',
  subscription: 'subscriptions',
}

/** Makes the table of everything that completion offers. */
export function createCompletionTable(commandLine: CommandLine): CompletionTable {
  const { commands } = commandLine
  return {
    global: listCandidates(commands, 'GLOBAL'),
    connection: listCandidates(commands, 'CONNECTION'),
    nodes: listNodes(commandLine),
    values: listValues(commands),
  }
}

function listCandidates(commands: readonly ManifestCommand[], group: string): Candidate[] {
  const all = commands.flatMap(command => listFlags(command, each => each === group))
  return [...new Map(all.map(flag => [flag.name, flag])).values()].flatMap(toCandidates)
}

function toCandidates({ name, description = '', allowNo }: ManifestFlag): Candidate[] {
  const words = allowNo === true ? [`--${name}`, `--no-${name}`] : [`--${name}`]
  return words.map(word => ({ word, description }))
}

function listNodes({ commands, topics }: CommandLine): CompletionNode[] {
  const known = new Map(commands.map(command => [toCommandName(command), command]))
  const names = new Set([...known.keys()].flatMap(listPrefixes))
  const describe = (name: string) =>
    known.get(name)?.summary ?? topics[name.replaceAll(' ', ':')] ?? ''
  return [...names].sort().map(name => {
    const command = known.get(name)
    const subcommands = [...names]
      .filter(each => each !== '' && getParent(each) === name)
      .sort()
      .map(each => ({ word: each.split(' ').at(-1) ?? '', description: describe(each) }))
    return { name, subcommands, ...describeFlags(command) }
  })
}

function describeFlags(
  command: ManifestCommand | undefined,
): Pick<CompletionNode, 'flags' | 'common'> {
  if (command === undefined) return { flags: [], common: 'none' }
  const hasConnection = listFlags(command, group => group === 'CONNECTION').length > 0
  const own = listFlags(command, group => group !== 'GLOBAL' && group !== 'CONNECTION')
  return { flags: own.flatMap(toCandidates), common: hasConnection ? 'connection' : 'global' }
}

/** `message send` has the prefixes '', `message` and itself. */
function listPrefixes(name: string): string[] {
  const words = name.split(' ')
  return ['', ...words.map((_, index) => words.slice(0, index + 1).join(' '))]
}

function getParent(name: string): string {
  return name.split(' ').slice(0, -1).join(' ')
}

function listValues(commands: readonly ManifestCommand[]): ValueEntry[] {
  const special = new Map<string, string[]>()
  const general = new Map<string, string[]>()
  const add = (entries: Map<string, string[]>, value: CompletionValue, key: string) => {
    const text = JSON.stringify(value)
    entries.set(text, [...(entries.get(text) ?? []), key])
  }
  for (const [name, values] of groupFlagValues(commands)) {
    const [first] = values
    const isSame = values.every(({ text }) => text === first?.text)
    if (isSame && first?.value !== undefined) add(general, first.value, `* ${name}`)
    if (isSame) continue
    for (const { command, value } of values) {
      if (value !== undefined) add(special, value, `${command} ${name}`)
    }
  }
  for (const command of commands) {
    for (const [index, argument] of Object.values(command.args).entries()) {
      const value = describeArgument(argument, command)
      if (value.kind !== 'none') add(special, value, `${toCommandName(command)} ${index + 1}`)
    }
  }
  return [...special, ...general].map(([text, keys]) => ({ keys, ...JSON.parse(text) }))
}

interface FlagValue {
  readonly command: string
  /** Undefined for a switch. */
  readonly value: CompletionValue | undefined
  readonly text: string | undefined
}

/** The values of each flag as it is typed, such as `--output` and `-o`. */
function groupFlagValues(commands: readonly ManifestCommand[]): Map<string, FlagValue[]> {
  const groups = new Map<string, FlagValue[]>()
  for (const command of commands) {
    for (const flag of Object.values(command.flags)) {
      const value = flag.type === 'boolean' ? undefined : describeValue(flag)
      const each = { command: toCommandName(command), value, text: JSON.stringify(value) }
      for (const name of [
        `--${flag.name}`,
        ...(flag.char === undefined ? [] : [`-${flag.char}`]),
      ]) {
        groups.set(name, [...(groups.get(name) ?? []), each])
      }
    }
  }
  return groups
}

function describeValue({ name, options, helpValue = '' }: ManifestFlag): CompletionValue {
  const words = options ?? wordsByName[name]
  if (words !== undefined) return { kind: 'words', words }
  const source = sourceByName[name]
  if (source !== undefined) return { kind: source, words: [] }
  const kind = /\bFILE\b/.test(helpValue) ? 'files' : /\bDIR\b/.test(helpValue) ? 'directories' : ''
  return { kind: kind === '' ? 'none' : kind, words: [] }
}

function describeArgument(
  { name, options }: ManifestArgument,
  { id }: ManifestCommand,
): CompletionValue {
  const words = options ?? wordsByName[name]
  if (words !== undefined) return { kind: 'words', words }
  if (name === 'file') return { kind: 'files', words: [] }
  if (name === 'target') return { kind: 'directories', words: [] }
  return { kind: chooseSource(name, id) ?? 'none', words: [] }
}

function chooseSource(name: string, id: string): ValueSource | undefined {
  if (name === 'subscription') return 'subscriptions'
  if (name === 'id' && id.startsWith('message:') && id !== 'message:received') return 'messages'
  if (name === 'name' && id.startsWith('phone:')) return 'setups'
  if (name === 'name' && id.startsWith('profile:')) return 'profiles'
  return undefined
}
