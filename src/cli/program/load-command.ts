import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Config } from '@oclif/core/config'
import type { BaseCommand } from '../command/base-command.js'
import type { Io } from '../terminal/io.js'

type CommandClass = new (argv: string[], config: Config, io: Io) => BaseCommand

export interface FoundCommand {
  readonly words: readonly string[]
  readonly file: string
}

/**
 * Finds the command that the first words name, without loading any command. The build lists the
 * files of commands apart from oclif's manifest, which takes longer to read. A command with
 * subcommands takes no arguments, so a further word must name a subcommand.
 */
export function findCommand(words: readonly string[], root: string): FoundCommand | undefined {
  const commands: Readonly<Record<string, string>> = JSON.parse(
    // Read at once: a start has nothing else to do meanwhile, and promises cost more.
    readFileSync(join(root, 'dist/commands.json'), 'utf8'),
  )
  const found = findLongest(words, id => Object.hasOwn(commands, id))
  const id = found?.join(':') ?? ''
  const path = commands[id]
  if (found === undefined || path === undefined) return undefined
  const hasSubcommands = Object.keys(commands).some(each => each.startsWith(`${id}:`))
  if (hasSubcommands && found.length < words.length) return undefined
  return { words: found, file: join(root, path) }
}

export async function runCommand(
  { words, file }: FoundCommand,
  argv: readonly string[],
  root: string,
  io: Io,
): Promise<void> {
  const { default: Loaded }: { default: CommandClass } = await import(pathToFileURL(file).href)
  await new Loaded(argv.slice(words.length), createCommandConfig(root), io).execute()
}

/** The longest prefix, of at most three words, that is a known command or help topic. */
export function findLongest(
  words: readonly string[],
  isKnown: (id: string) => boolean,
): readonly string[] | undefined {
  for (let length = Math.min(words.length, 3); length > 0; length--) {
    const candidate = words.slice(0, length)
    if (isKnown(candidate.join(':'))) return candidate
  }
  return undefined
}

type UsedConfig = Pick<Config, 'bin' | 'root' | 'options' | 'runHook' | 'scopedEnvVarKeys'>

/**
 * Creates the configuration of oclif while a command runs. oclif's own loads modules for plug-ins,
 * which the command line does not have, and `Config.load` also reads the package, every command,
 * theme, shell and platform, which only help and mistyped commands need.
 */
function createCommandConfig(root: string): Config {
  const config: UsedConfig = {
    bin: 'smsrelay',
    root,
    options: { root },
    runHook: async () => ({ successes: [], failures: [] }),
    scopedEnvVarKeys: () => [],
  }
  return config as Config
}
