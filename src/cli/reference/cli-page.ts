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
  'show the exit codes and all variables.',
  '',
  'Every command has `--json`: one JSON value (or one a line, for streams) on stdout and nothing',
  'else, errors included, with the same exit codes.',
].join('\n')

export function formatCliPage(commandLine: CommandLine): string {
  const { commands } = commandLine
  const blocks = [
    '# Commands',
    introduction,
    ...formatContents(commandLine),
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
    '## Configuration file',
    configurationText,
  ]
  return `${blocks.join('\n\n')}\n`
}

function formatContents({ commands }: CommandLine): string[] {
  const rows = commands.map(command => {
    const name = toCommandName(command)
    const flags = [
      ...(takesFlagsOfServe(command, commands) ? ['[serve](#serve)'] : []),
      ...(hasGroup(command, 'OUTPUT') ? ['[output](#output-flags)'] : []),
      ...(hasGroup(command, 'CONNECTION') ? ['[connection](#connection-flags)'] : []),
    ]
    return [`[\`${name}\`](#${toAnchor(name)})`, command.summary ?? '', flags.join(', ')]
  })
  return [formatTable(['Command', 'What it does', 'Common flags'], rows)]
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
    listUsage(command)
      .map(line => `\`${line}\``)
      .join('  \n'),
    ...(args.length === 0 ? [] : [formatTable(['Argument', 'Required', 'Meaning'], args)]),
    ...(own.length === 0 ? [] : [formatFlagTable(own)]),
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

function formatExamples({ examples = [] }: ManifestCommand): string[] {
  if (examples.length === 0) return []
  const lines = examples.map(({ description, command }) => `# ${description}\n${command}`)
  return [`\`\`\`console\n${fillProgram(lines.join('\n'))}\n\`\`\``]
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

/** The variables that no flag sets; the tables of flags have the others. */
function formatVariables(commandLine: CommandLine): string[] {
  const rows = [...listVariables(commandLine).values()].flatMap(variables =>
    variables
      .filter(({ flags }) => flags.length === 0)
      .map(({ name, meaning }) => [name.replace(/[^, ]+/g, '`$&`'), escapeCell(meaning)]),
  )
  const note = 'The tables of flags name the variable of each flag. These have no flag:'
  return ['## Environment', ...environmentRules, note, formatTable(['Variable', 'Meaning'], rows)]
}

const configurationText =
  '`smsrelay serve --config FILE` reads a TOML file; see ' +
  '[configuration](../operate/configuration.md). Its keys are the names of the flags of ' +
  '[`serve`](#serve). A switch takes true or false, a repeatable key a list. ' +
  '[smsrelay.toml](../operate/examples/smsrelay.toml) has all of them as an example.'

function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows]
  return lines.map(cells => `| ${cells.join(' | ')} |`).join('\n')
}

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
