import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Config } from '@oclif/core/config'
import type { BaseCommand } from '../command/base-command.js'
import type { Io } from '../terminal/io.js'

type CommandClass = new (argv: string[], config: Config, io: Io) => BaseCommand

interface Manifest {
  readonly commands: Readonly<Record<string, { readonly relativePath: readonly string[] }>>
}

export interface FoundCommand {
  readonly words: readonly string[]
  readonly file: string
}

/**
 * Finds the command that the first words name in oclif's manifest, without loading any command. A
 * command with subcommands takes no arguments, so a further word must name a subcommand.
 */
export async function findCommand(
  words: readonly string[],
  root: string,
): Promise<FoundCommand | undefined> {
  const { commands }: Manifest = JSON.parse(
    await readFile(join(root, 'oclif.manifest.json'), 'utf8'),
  )
  const found = findLongest(words, id => Object.hasOwn(commands, id))
  const subcommandPrefix = `${found?.join(':')}:`
  const hasSubcommands =
    found !== undefined && Object.keys(commands).some(id => id.startsWith(subcommandPrefix))
  if (hasSubcommands && found.length < words.length) return undefined
  const path = found && commands[found.join(':')]?.relativePath
  return path && { words: found, file: join(root, ...path) }
}

export async function runCommand(
  { words, file }: FoundCommand,
  argv: readonly string[],
  root: string,
  io: Io,
): Promise<void> {
  const { default: Loaded }: { default: CommandClass } = await import(pathToFileURL(file).href)
  const { CommandConfig } = await import('./command-config.js')
  await new Loaded(argv.slice(words.length), new CommandConfig({ root }), io).execute()
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
