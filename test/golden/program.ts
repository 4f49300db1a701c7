import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import type { Command } from '@oclif/core/command'
import { Config } from '@oclif/core/config'
import type { BaseCommand } from '../../src/cli/command/base-command.js'
import { ProgramHelp } from '../../src/cli/program/command-help.js'
import type { Io } from '../../src/cli/terminal/io.js'
import { listFiles, projectRoot, readText } from '../source-tree.js'
import { temporaryFolder } from '../temporary-folder.js'

export type CommandClass = typeof Command &
  (new (
    argv: string[],
    config: Config,
    io: Io,
  ) => BaseCommand)

/** Every command of the source tree by what users type, with colons between the words. */
export async function loadCommands(): Promise<Map<string, CommandClass>> {
  const commands = new Map<string, CommandClass>()
  for (const file of listFiles(['commands'])) {
    const { default: command } = await import(pathToFileURL(join(projectRoot, file)).href)
    const path = file.replace(/^commands\/|\.ts$/g, '').replace('hook/subscription/', 'hook/')
    commands.set(path.replaceAll('/', ':'), command)
  }
  return commands
}

/** A package folder with the manifest of the commands, as the build makes one. */
export async function writePackage(commands: ReadonlyMap<string, CommandClass>): Promise<string> {
  const root = await temporaryFolder()
  const { cacheCommand } = createRequire(import.meta.url)(
    join(projectRoot, 'node_modules/@oclif/core/lib/util/cache-command.js'),
  )
  const cached: Record<string, object> = {}
  for (const [id, command] of commands) {
    const described = await cacheCommand(command, { type: 'core' }, false)
    cached[id] = { ...described, id, hasDynamicHelp: false, relativePath: ['none.js'] }
  }
  const { version } = JSON.parse(readText('package.json'))
  await writeFile(join(root, 'package.json'), readText('package.json'))
  const manifest = JSON.stringify({ version, commands: cached })
  await writeFile(join(root, 'oclif.manifest.json'), manifest)
  return root
}

/** The help of a command, of a topic, or of the program if `id` is empty, as it is printed. */
export async function printHelp(root: string, id: string): Promise<string> {
  let text = ''
  class Recorded extends ProgramHelp {
    protected override log(...lines: string[]): void {
      text += `${lines.join(' ')}\n`
    }
  }
  const config = await Config.load({ root })
  await new Recorded(config, { hideAliasesFromRoot: true }).showHelp(id === '' ? [] : [id])
  return stripVTControlCharacters(text)
    .replace(/ +$/gm, '')
    .replace(/^ {2}smsrelay\/.*/m, '  …')
}

/**
 * Takes sections that many commands have word for word, such as the global flags, out of helps:
 * the first one is the text of such sections.
 */
export function foldCommonSections(helps: ReadonlyMap<string, string>): Map<string, string> {
  const counts = new Map<string, number>()
  const all = [...helps].map(([id, text]) => [id, text.split(/\n(?=[A-Z ]+\n)/)] as const)
  for (const [, sections] of all)
    for (const each of sections) counts.set(each, (counts.get(each) ?? 0) + 1)
  const isCommon = (section: string) => (counts.get(section) ?? 0) > 15
  const common = [...counts.keys()].filter(isCommon).sort()
  const fold = (section: string) =>
    isCommon(section) ? section.replace(/\n[\s\S]*/, ' …\n') : section
  const folded = all.map(([id, sections]) => [id, sections.map(fold).join('\n')] as const)
  return new Map([['common', common.join('\n')], ...folded])
}
