import { driverNames } from '../../domain/phone/driver-names.js'
import { eventNames } from '../../domain/webhook/event.js'
import {
  type CommandLine,
  listFlags,
  type ManifestArgument,
  type ManifestCommand,
  type ManifestFlag,
  toCommandName,
} from '../reference/command-manifest.js'

export interface Candidate {
  readonly word: string
  readonly description: string
}

/** Values that only the machine or the relay knows; files and directories the shell lists. */
export type ValueSource =
  | 'profiles'
  | 'setups'
  | 'subscriptions'
  | 'messages'
  | 'files'
  | 'directories'

export interface LineCompletion {
  readonly current: string
  /** What the last word begins with that is no part of a candidate, such as `--filter=`. */
  readonly prefix: string
  readonly candidates: readonly Candidate[]
  readonly source?: ValueSource | undefined
  /** --profile and --url of the line, by which values are asked of the relay. */
  readonly typed: readonly string[]
}

type Value = Pick<LineCompletion, 'source'> & { readonly words?: readonly string[] | undefined }

const wordsByName: Readonly<Record<string, readonly string[]>> = {
  driver: driverNames,
  event: eventNames,
  events: eventNames,
  until: eventNames,
}
const sourceByName: Readonly<Record<string, ValueSource>> = {
  ...{ profile: 'profiles', use: 'setups', setup: 'setups', subscription: 'subscriptions' },
  ...{ file: 'files', target: 'directories' },
}

/** Finds what may stand in place of the last of the words that follow `smsrelay` on a line. */
export function completeLine(words: readonly string[], all: CommandLine): LineCompletion {
  const line = joinSplitWords(words)
  const current = line.at(-1) ?? ''
  const names = new Set(all.commands.flatMap(each => listPrefixes(toCommandName(each))))
  const commands = new Map(all.commands.map(each => [toCommandName(each), each]))
  const typed: string[] = []
  let name = ''
  let count = 0
  let isRest = false
  let open: ManifestFlag | undefined
  for (const word of line.slice(0, -1)) {
    if (open !== undefined) {
      if (open.name === 'profile' || open.name === 'url') typed.push(`--${open.name}=${word}`)
      open = undefined
    } else if (isRest) count += 1
    else if (word === '--') isRest = true
    else if (word.startsWith('-')) {
      if (/^--(profile|url)=/.test(word)) typed.push(word)
      open = word.includes('=') ? undefined : findFlag(commands.get(name), word)
    } else if (count === 0 && names.has(`${name} ${word}`.trim())) name = `${name} ${word}`.trim()
    else count += 1
  }
  const command = commands.get(name)
  const [flag = '', ...rest] = current.split('=')
  const given = !isRest && open === undefined && rest.length > 0 ? findFlag(command, flag) : open
  if (given !== undefined) {
    const prefix = given === open ? '' : `${flag}=`
    return { current, prefix, typed, ...toCompletion(describeFlag(given)) }
  }
  if (!isRest && current.startsWith('-')) {
    return {
      current,
      prefix: '',
      typed,
      candidates: command === undefined ? [] : listFlagWords(command),
    }
  }
  const subcommands = count > 0 ? [] : listSubcommands(name, names, all)
  if (subcommands.length > 0) return { current, prefix: '', typed, candidates: subcommands }
  const argument = Object.values(command?.args ?? {})[count]
  const value = argument === undefined ? {} : describeArgument(argument, command?.id ?? '')
  return { current, prefix: '', typed, ...toCompletion(value) }
}

function joinSplitWords(words: readonly string[]): string[] {
  const joined: string[] = []
  let continues = false
  for (const word of words) {
    const isSplit = word === '=' || word === ':'
    if (continues || (isSplit && joined.length > 0)) joined.push(`${joined.pop() ?? ''}${word}`)
    else joined.push(word)
    continues = isSplit
  }
  return joined
}

function findFlag(command: ManifestCommand | undefined, word: string): ManifestFlag | undefined {
  return Object.values(command?.flags ?? {}).find(
    ({ name, char, type }) => type === 'option' && (word === `--${name}` || word === `-${char}`),
  )
}

function listFlagWords(command: ManifestCommand): Candidate[] {
  return listFlags(command, () => true).flatMap(({ name, description = '', allowNo }) => {
    const words = allowNo === true ? [`--${name}`, `--no-${name}`] : [`--${name}`]
    return words.map(word => ({ word, description }))
  })
}

function listSubcommands(
  parent: string,
  names: ReadonlySet<string>,
  { commands, topics }: CommandLine,
): Candidate[] {
  const depth = parent === '' ? 0 : parent.split(' ').length
  return [...names]
    .filter(name => name.startsWith(parent === '' ? '' : `${parent} `))
    .map(name => name.split(' '))
    .filter(words => words.length === depth + 1)
    .map(words => {
      const known = commands.find(each => toCommandName(each) === words.join(' '))
      const description = known?.summary ?? topics[words.join(':')] ?? ''
      return { word: words.at(-1) ?? '', description }
    })
}

function listPrefixes(name: string): string[] {
  const words = name.split(' ')
  return words.map((_, index) => words.slice(0, index + 1).join(' '))
}

function describeFlag({ name, options, helpValue = '' }: ManifestFlag): Value {
  const words = options ?? wordsByName[name]
  if (words !== undefined) return { words }
  if (/\bFILE\b/.test(helpValue)) return { source: 'files' }
  if (/\bDIR\b/.test(helpValue)) return { source: 'directories' }
  return { source: sourceByName[name] }
}

function describeArgument({ name, options }: ManifestArgument, id: string): Value {
  const words = options ?? wordsByName[name]
  if (words !== undefined) return { words }
  if (name === 'id' && id.startsWith('message:') && id !== 'message:received') {
    return { source: 'messages' }
  }
  if (name === 'name' && id.startsWith('phone:')) return { source: 'setups' }
  if (name === 'name' && id.startsWith('profile:')) return { source: 'profiles' }
  return { source: sourceByName[name] }
}

function toCompletion({
  words = [],
  source,
}: Value): Pick<LineCompletion, 'candidates' | 'source'> {
  return { candidates: words.map(word => ({ word, description: '' })), source }
}
