import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '@oclif/core/config'
import { RelayError } from '../../errors.js'
import { isTrueVariable } from '../command/environment-flags.js'
import { hasFlag, hasJsonFlag } from '../command/report-error.js'
import type { Io } from '../terminal/io.js'
import { suggest } from '../terminal/suggest.js'
import { toOneLine } from '../terminal/terminal-text.js'
import { findCommand, findLongest, runCommand } from './load-command.js'

const maxHelpColumns = 100

/**
 * Runs a command, help or `version`. oclif parses commands and shows help, but its own entry point
 * prints internals on errors and loads far more than one command needs.
 */
export async function runCommandLine(
  typed: readonly string[],
  root: string,
  io: Io,
): Promise<void> {
  const argv = replaceAlias(typed)
  const [first = ''] = argv
  if (['--version', '-v', 'version'].includes(first)) return showVersion(argv, root, io)
  const words = getLeadingWords(argv)
  if (words.length > 0 && words[0] !== 'help' && !hasHelpFlag(argv, io)) {
    const found = findCommand(words, root)
    if (found !== undefined) return await runCommand(found, argv, root, io)
  }
  const { Config } = await import('@oclif/core/config')
  const config = await Config.load({ root })
  if (words[0] === 'help') return await showHelp(words.slice(1), config, io)
  if (argv.length === 0 || hasHelpFlag(argv, io)) return await showHelp(words, config, io)
  await showTopic(words, argv, config, io)
}

/** Words that people try, by which the dashboard and the API name the same things. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  send: ['message', 'send'],
  messages: ['message'],
  contacts: ['contact'],
  webhook: ['hook'],
  webhooks: ['hook'],
  subscription: ['hook'],
  subscriptions: ['hook'],
  'secret-url': ['url'],
  'secret-urls': ['url'],
  people: ['person'],
  user: ['person'],
  users: ['person'],
  phones: ['status'],
  'phone list': ['status'],
  'phones list': ['status'],
}

function replaceAlias(argv: readonly string[]): readonly string[] {
  const [first = '', second = ''] = argv
  for (const typed of [`${first} ${second}`, first]) {
    if (Object.hasOwn(aliases, typed))
      return [...(aliases[typed] ?? []), ...argv.slice(typed.split(' ').length)]
  }
  if (first !== 'help' || argv.length < 2) return argv
  return [first, ...replaceAlias(argv.slice(1))]
}

function showVersion(argv: readonly string[], root: string, io: Io): void {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const text = hasJsonFlag(argv, io.env) ? JSON.stringify({ version }) : `smsrelay ${version}`
  io.stdout.write(`${text}\n`)
}

async function showTopic(
  words: readonly string[],
  argv: readonly string[],
  config: Config,
  io: Io,
): Promise<void> {
  const isTopic = config.findTopic(words.join(':')) !== undefined
  if (!isTopic) throw unknownCommandError(words, config)
  if (hasJsonFlag(argv, io.env)) {
    throw new RelayError('usage', `\`smsrelay ${words.join(' ')}\` needs a subcommand.`, {
      hint: 'See --help.',
    })
  }
  await showHelp(words, config, io)
}

async function showHelp(words: readonly string[], config: Config, io: Io): Promise<void> {
  const { helpTopics } = await import('./help-topics.js')
  const [name = ''] = words
  if (words.length === 1 && Object.hasOwn(helpTopics, name)) {
    const columns = Math.min(io.stdout.columns || maxHelpColumns, maxHelpColumns)
    io.stdout.write(`${await helpTopics[name]?.(config.root, columns)}\n`)
    return
  }
  const typed = words.join(':')
  const isTopic = config.findTopic(typed) !== undefined
  const id = isTopic ? typed : (findLongestCommand(words, config)?.join(':') ?? typed)
  const known = config.findCommand(id) ?? config.findTopic(id)
  if (words.length > 0 && known === undefined) throw unknownCommandError(words, config)
  const { ProgramHelp } = await import('./command-help.js')
  await new ProgramHelp(config, { hideAliasesFromRoot: true }).showHelp(id === '' ? [] : [id])
}

function unknownCommandError(words: readonly string[], config: Config): RelayError {
  if (words.length === 0) {
    return new RelayError('usage', 'The command is missing.', {
      hint: 'Type it before its flags. See smsrelay --help.',
    })
  }
  const known = config.commandIDs.map(id => id.replaceAll(':', ' '))
  const suggestion = [words.slice(0, 2).join(' '), words[0] ?? '']
    .map(typed => suggest(typed, [...known, ...config.topics.map(topic => topic.name)]))
    .find(name => name !== undefined)
  const inTopic = config.findTopic(words[0] ?? '') !== undefined
  const typed = toOneLine(words.slice(0, inTopic ? 2 : 1).join(' ')).slice(0, 40)
  return new RelayError('usage', `Unknown command "${typed}".`, {
    hint:
      suggestion === undefined
        ? 'See smsrelay --help.'
        : `Did you mean \`smsrelay ${suggestion}\`?`,
  })
}

function findLongestCommand(
  words: readonly string[],
  config: Config,
): readonly string[] | undefined {
  return findLongest(words, id => config.findCommand(id) !== undefined)
}

function getLeadingWords(argv: readonly string[]): readonly string[] {
  const flag = argv.findIndex(word => word.startsWith('-'))
  return flag === -1 ? argv : argv.slice(0, flag)
}

function hasHelpFlag(argv: readonly string[], { env }: Io): boolean {
  return hasFlag(argv, '--help', '-h') || isTrueVariable(env.SMSRELAY_HELP)
}
