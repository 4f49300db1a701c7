// Parses every example of every command as the program would. An example may also use another
// command, for instance in front of a pipe.
import { pathToFileURL } from 'node:url'
import { Parser } from '@oclif/core'
import type { Command } from '@oclif/core/command'
import { expect, test } from 'vitest'
import { splitCommand } from '../../src/util/text/shell-words.js'
import { listFiles, projectRoot } from '../source-tree.js'

type CommandClass = typeof Command & { readonly baseFlags?: typeof Command.flags }

const commands = new Map<string, CommandClass>()
for (const file of listFiles(['commands'], /\.ts$/)) {
  const path = pathToFileURL(`${projectRoot}/${file}`).href
  const { default: command }: { default: CommandClass } = await import(/* @vite-ignore */ path)
  commands.set(toName(file), command)
}

/** The command as it is typed; the folder `hook/subscription` only groups files. */
function toName(file: string): string {
  const path = file.replace(/^commands\/|\.ts$/g, '').replace('hook/subscription/', 'hook/')
  return path.replaceAll('/', ' ')
}

/** What follows the program in an example, for each time that it is there. */
function listTyped(example: string): string[][] {
  const typed = example.matchAll(/<%= config\.bin %> (.*?)(?:\)"|$| (?:\||>|<|&&) | \|\| )/gm)
  return [...typed].map(([, text = '']) => splitCommand(text))
}

function findName(words: readonly string[]): string {
  const names = [3, 2, 1].map(length => words.slice(0, length).join(' '))
  return names.find(name => commands.has(name)) ?? ''
}

/**
 * Parses like a command, which asks for missing arguments and reads `--wait delivered`. An argument
 * before several others stays required, as oclif demands.
 */
async function parse(command: CommandClass, argv: readonly string[]): Promise<void> {
  const { baseFlags, flags, strict } = command
  const given = Object.entries(command.args)
  const several = given.findIndex(([, { multiple }]) => multiple === true)
  const args = given.map(([name, arg], at) => [
    name,
    { ...arg, required: at < several, ignoreStdin: true },
  ])
  const at = argv.findIndex((word, index) => word === '--wait' && argv[index + 1] === 'delivered')
  const words = at === -1 ? [...argv] : argv.toSpliced(at, 2, '--wait-delivered')
  await Parser.parse(words, {
    args: Object.fromEntries(args),
    flags: { ...baseFlags, ...flags },
    strict,
  })
}

test.each([...commands])('%s has examples, and they are valid', async (name, { examples = [] }) => {
  const used: string[] = []
  for (const example of examples) {
    if (typeof example === 'string') throw new Error('An example has no description.')
    expect(example.description).toMatch(/^[A-Z].*\.$/)
    for (const words of listTyped(example.command)) {
      const found = findName(words)
      const command = commands.get(found)
      if (command === undefined) throw new Error(`There is no command: ${words.join(' ')}`)
      await parse(command, words.slice(found.split(' ').length))
      used.push(found)
    }
  }
  expect(used).toContain(name)
})
