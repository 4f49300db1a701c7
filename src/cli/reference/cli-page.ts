import {
  type CommandLine,
  fillProgram,
  formatDefault,
  formatFlag,
  hasGroup,
  listCommonFlags,
  listOwnFlags,
  listUsage,
  type ManifestCommand,
  type ManifestFlag,
  takesFlagsOfServe,
  toCommandName,
} from './command-manifest.js'
import { exitCodeMeanings, jsonErrorText } from './exit-code-meanings.js'
import { outputTexts } from './output-texts.js'
import { environmentRules, listVariables } from './variables.js'

const introduction = [
  'This page is generated from the commands by `npm run reference`. `smsrelay COMMAND --help`',
  'shows one command at the terminal, `smsrelay help exit-codes` and `smsrelay help environment`',
  'the last sections, and `man smsrelay` all of it after a global installation.',
  '',
  'Every command has `--json`: one JSON value (or one a line, for streams) on stdout and nothing',
  'else, errors included, with the same exit codes.',
].join('\n')

/** Makes the page of docs/reference about all commands, in Markdown. */
export function formatCliPage(commandLine: CommandLine): string {
  const { commands } = commandLine
  const blocks = [
    '# Commands',
    introduction,
    ...formatContents(commands),
    '## Flags of every command',
    formatFlagTable(listCommonFlags(commandLine, 'GLOBAL')),
    '## Output flags',
    ...outputTexts,
    formatFlagTable(listCommonFlags(commandLine, 'OUTPUT')),
    '## Connection flags',
    'Commands that send requests to a relay take these flags. A saved profile has the same values.',
    formatFlagTable(listCommonFlags(commandLine, 'CONNECTION')),
    ...commands.flatMap(command => formatCommand(command, commandLine)),
    ...formatExitCodes(),
    ...formatVariables(commandLine),
    ...formatConfigurationFile(commandLine),
  ]
  return `${blocks.join('\n\n')}\n`
}

function formatContents(commands: readonly ManifestCommand[]): string[] {
  const rows = commands.map(command => {
    const name = toCommandName(command)
    return [`[\`${name}\`](#${toAnchor(name)})`, command.summary ?? '']
  })
  return [formatTable(['Command', 'What it does'], rows)]
}

function formatCommand(command: ManifestCommand, commandLine: CommandLine): string[] {
  const own = listOwnFlags(command, commandLine)
  const args = Object.values(command.args).map(({ name, required, description = '' }) => {
    return [`\`${name.toUpperCase()}\``, required === true ? 'yes' : 'no', escapeCell(description)]
  })
  return [
    `## ${toCommandName(command)}`,
    fillProgram(command.summary ?? ''),
    ...formatDescription(command.description),
    `\`\`\`console\n${listUsage(command).join('\n')}\n\`\`\``,
    ...(args.length === 0 ? [] : [formatTable(['Argument', 'Required', 'Meaning'], args)]),
    ...(own.length === 0 ? [] : [formatFlagTable(own)]),
    formatCommonNote(command, commandLine),
    ...formatExamples(command),
  ]
}

/** A list in a description is aligned with spaces, which only a code block keeps. */
function formatDescription(description = ''): string[] {
  return fillProgram(description)
    .split(/\n{2,}/)
    .filter(text => text !== '')
    .map(text => (/^\S+ {2,}\S/m.test(text) ? `\`\`\`text\n${text}\n\`\`\`` : text))
}

function formatCommonNote(command: ManifestCommand, { commands }: CommandLine): string {
  const links = [
    ...(takesFlagsOfServe(command, commands) ? ['[flags of `serve`](#serve)'] : []),
    '[flags of every command](#flags-of-every-command)',
    ...(hasGroup(command, 'OUTPUT') ? ['[output flags](#output-flags)'] : []),
    ...(hasGroup(command, 'CONNECTION') ? ['[connection flags](#connection-flags)'] : []),
  ]
  return `It also takes the ${links.join(' and the ')}.`
}

function formatExamples({ examples = [] }: ManifestCommand): string[] {
  if (examples.length === 0) return []
  const lines = examples.map(({ description, command }) => `# ${description}\n${command}`)
  return ['Examples:', `\`\`\`console\n${fillProgram(lines.join('\n\n'))}\n\`\`\``]
}

function formatFlagTable(flags: readonly ManifestFlag[]): string {
  const rows = flags.map(flag => [
    `\`${formatFlag(flag).replaceAll('|', '\\|')}\``,
    formatType(flag),
    escapeCell(formatDefault(flag) ?? ''),
    flag.env === undefined ? '' : `\`${flag.env}\``,
    escapeCell(flag.description ?? ''),
  ])
  return formatTable(['Flag', 'Type', 'Default', 'Variable', 'Meaning'], rows)
}

function formatType({ type, multiple, options }: ManifestFlag): string {
  if (type === 'boolean') return 'switch'
  const kind = options === undefined ? 'value' : options.map(each => `\`${each}\``).join(', ')
  return multiple === true ? `${kind}, repeatable` : kind
}

function formatExitCodes(): string[] {
  const rows = exitCodeMeanings.map(([code, meaning]) => [String(code), escapeCell(meaning)])
  const note = jsonErrorText.replace(/\{.*\}/, '`$&`')
  return ['## Exit codes', formatTable(['Code', 'Meaning'], rows), note]
}

function formatVariables(commandLine: CommandLine): string[] {
  const groups = [...listVariables(commandLine)].flatMap(([group, variables]) => {
    const rows = variables.map(({ name, flags, meaning }) => [
      name.replace(/[^, ]+/g, '`$&`'),
      flags.map(flag => `\`${flag}\``).join(', '),
      escapeCell(meaning),
    ])
    const title = `${group.slice(0, 1)}${group.slice(1).toLowerCase()}`
    return [`### Environment: ${title}`, formatTable(['Variable', 'Flag', 'Meaning'], rows)]
  })
  return ['## Environment', ...environmentRules, ...groups]
}

/** The keys of `serve --config` are the names of its flags. */
function formatConfigurationFile(commandLine: CommandLine): string[] {
  const serve = commandLine.commands.find(({ id }) => id === 'serve')
  if (serve?.flags.config === undefined) return []
  const keys = listOwnFlags(serve, commandLine).filter(({ name }) => name !== 'config')
  const rows = keys.map(flag => [
    `\`${flag.name}\``,
    formatType(flag),
    escapeCell(formatDefault(flag) ?? ''),
    escapeCell(flag.description ?? ''),
  ])
  return [
    '## Configuration file',
    '`smsrelay serve --config FILE` reads a TOML file; see ' +
      '[configuration](../operate/configuration.md). Its keys are the names of the flags of ' +
      '`serve`. A switch takes true or false, a repeatable key a list. ' +
      '[smsrelay.toml](../operate/examples/smsrelay.toml) has all of them as an example.',
    formatTable(['Key', 'Type', 'Default', 'Meaning'], rows),
  ]
}

function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows]
  return lines.map(cells => `| ${cells.join(' | ')} |`).join('\n')
}

/** Keeps a text from ending its cell or becoming HTML. */
function escapeCell(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/[<*[\]]/g, '\\$&')))
    .join('')
    .replaceAll('|', '\\|')
    .replaceAll('\n', ' ')
}

function toAnchor(name: string): string {
  return name.replaceAll(' ', '-')
}
