// Texts that are generated from oclif's manifest, so that they never differ from the commands:
//
// - `variables` lists the environment variables, for `smsrelay help environment` and the page.
// - `cli-page` makes docs/reference/cli.md.
// - `example-config` makes docs/operate/examples/smsrelay.toml, an example of a configuration file.
// - `exit-code-meanings` has the meaning of every exit code, for help and the page.
//
// `tools/build/reference.js` writes them. `completion/` uses the manifest in the same way.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface ManifestFlag {
  readonly name: string
  readonly type: 'boolean' | 'option'
  readonly char?: string
  readonly description?: string
  readonly env?: string
  readonly default?: unknown
  readonly helpValue?: string
  readonly helpGroup?: string
  readonly options?: readonly string[]
  readonly multiple?: boolean
  readonly allowNo?: boolean
  readonly hidden?: boolean
}

export interface ManifestArgument {
  readonly name: string
  readonly description?: string
  readonly required?: boolean
  readonly options?: readonly string[]
}

export interface ManifestExample {
  readonly description: string
  readonly command: string
}

export interface ManifestCommand {
  /** The words of the command, joined by colons. */
  readonly id: string
  readonly summary?: string
  readonly description?: string
  readonly usage?: string | readonly string[]
  readonly hidden?: boolean
  readonly args: Readonly<Record<string, ManifestArgument>>
  readonly flags: Readonly<Record<string, ManifestFlag>>
  readonly examples?: readonly ManifestExample[]
}

export interface CommandLine {
  readonly version: string
  readonly description: string
  readonly topics: Readonly<Record<string, string>>
  /** Commands in the order of their ids, without hidden ones. */
  readonly commands: readonly ManifestCommand[]
}

export async function readCommandLine(root: string): Promise<CommandLine> {
  const [manifest, packageJson] = await Promise.all(
    ['oclif.manifest.json', 'package.json'].map(async name =>
      JSON.parse(await readFile(join(root, name), 'utf8')),
    ),
  )
  const commands: Readonly<Record<string, ManifestCommand>> = manifest.commands
  const topics: Readonly<Record<string, { description: string }>> = packageJson.oclif.topics ?? {}
  return {
    version: manifest.version,
    description: packageJson.oclif.description ?? '',
    topics: Object.fromEntries(
      Object.entries(topics).map(([name, { description }]) => [name, description]),
    ),
    commands: Object.values(commands)
      .filter(({ hidden }) => hidden !== true)
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
  }
}

export function toCommandName({ id }: ManifestCommand): string {
  return id.replaceAll(':', ' ')
}

export function listUsage(command: ManifestCommand): string[] {
  const given = command.usage === undefined ? [] : [command.usage].flat()
  if (given.length > 0) return given.map(line => `smsrelay ${line}`)
  const words = Object.values(command.args).map(({ name, required }) => {
    return required === true ? name.toUpperCase() : `[${name.toUpperCase()}]`
  })
  return [['smsrelay', toCommandName(command), ...words].join(' ')]
}

/** A flag as users type it, such as `-H, --header FIELD`. */
export function formatFlag(flag: ManifestFlag): string {
  const short = flag.char === undefined ? '' : `-${flag.char}, `
  const name = flag.allowNo === true ? `--[no-]${flag.name}` : `--${flag.name}`
  if (flag.type === 'boolean') return `${short}${name}`
  return `${short}${name} ${flag.helpValue ?? flag.options?.join('|') ?? 'VALUE'}`
}

export function formatDefault({ type, default: value }: ManifestFlag): string | undefined {
  return type === 'boolean' || value === undefined ? undefined : String(value)
}

export function fillProgram(text: string): string {
  return text.replace(/<%= (?:this\.)?config\.bin %>/g, 'smsrelay')
}

export function takesFlagsOfServe(
  command: ManifestCommand,
  commands: readonly ManifestCommand[],
): boolean {
  const serve = commands.find(({ id }) => id === 'serve')
  if (serve === undefined || serve === command) return false
  const names = Object.keys(serve.flags)
  const own = listFlags(command, group => group !== 'OUTPUT')
  return (
    names.every(name => command.flags[name]?.env === serve.flags[name]?.env) &&
    names.length === own.length
  )
}

/** The flags whose group, such as GLOBAL, is wanted; flags without a group have the group ''. */
export function listFlags(
  command: ManifestCommand,
  isWanted: (group: string) => boolean,
): ManifestFlag[] {
  return Object.values(command.flags)
    .filter(({ hidden, helpGroup = '' }) => hidden !== true && isWanted(helpGroup))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

export function listOwnFlags(command: ManifestCommand, { commands }: CommandLine): ManifestFlag[] {
  if (takesFlagsOfServe(command, commands)) return []
  return listFlags(command, group => !isCommonGroup(group))
}

export const commonGroups: readonly string[] = ['GLOBAL', 'OUTPUT', 'CONNECTION']

export function isCommonGroup(group: string): boolean {
  return commonGroups.includes(group)
}

export function hasGroup(command: ManifestCommand, group: string): boolean {
  return listFlags(command, each => each === group).length > 0
}

export function listCommonFlags({ commands }: CommandLine, group: string): ManifestFlag[] {
  const flags = new Map<string, ManifestFlag>()
  for (const command of commands) {
    for (const flag of listFlags(command, each => each === group)) {
      if (!flags.has(flag.name)) flags.set(flag.name, flag)
    }
  }
  return [...flags.values()]
}
