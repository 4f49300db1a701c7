import {
  type CommandLine,
  fillProgram,
  formatDefault,
  formatFlag,
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

const files: readonly (readonly [path: string, meaning: string])[] = [
  ['~/.config/smsrelay', 'Saved profiles and phone setups; SMSRELAY_CONFIG_DIR replaces it.'],
  ['~/.local/share/smsrelay', 'Records of the relay; --data or SMSRELAY_DATA_DIR replaces it.'],
  [
    '~/.local/state/smsrelay',
    'Journals of phones, positions of hook listen and jobs of message send --csv.',
  ],
]

/** Makes the manual page smsrelay(1) in man(7) macros. */
export function formatManPage(commandLine: CommandLine): string {
  const { version, description, commands } = commandLine
  const lines = [
    `.TH SMSRELAY 1 "" "smsrelay ${escapeText(version)}" "User Commands"`,
    // Long words such as URLs would otherwise be warnings; texts are not justified.
    ...['.nh', '.ad l'],
    ...['.SH NAME', 'smsrelay \\- text-message relay that you host yourself'],
    ...['.SH SYNOPSIS', '.B smsrelay', '.I COMMAND', '.RI [ ARGUMENTS ]', '.RI [ FLAGS ]'],
    ...['.SH DESCRIPTION', ...formatParagraphs(description)],
    ...['.SH "FLAGS OF EVERY COMMAND"', ...formatFlags(listCommonFlags(commandLine, 'GLOBAL'))],
    ...['.SH "OUTPUT FLAGS"', ...outputTexts.flatMap(formatParagraphs)],
    ...formatFlags(listCommonFlags(commandLine, 'OUTPUT')),
    '.SH "CONNECTION FLAGS"',
    'Commands that send requests to a relay take these flags.',
    ...formatFlags(listCommonFlags(commandLine, 'CONNECTION')),
    ...['.SH COMMANDS', ...commands.flatMap(command => formatCommand(command, commandLine))],
    '.SH "EXIT STATUS"',
    ...exitCodeMeanings.flatMap(([code, meaning]) => formatTagged(String(code), meaning)),
    ...['.PP', escapeText(jsonErrorText)],
    ...['.SH ENVIRONMENT', ...environmentRules.flatMap(formatParagraphs)],
    ...[...listVariables(commandLine)].flatMap(([group, variables]) => [
      `.SS "${escapeText(group.slice(0, 1) + group.slice(1).toLowerCase())}"`,
      ...variables.flatMap(({ name, flags, meaning }) =>
        formatTagged(name, flags.length === 0 ? meaning : `${flags.join(', ')}: ${meaning}`),
      ),
    ]),
    ...['.SH FILES', ...files.flatMap(([path, meaning]) => formatTagged(path, meaning))],
  ]
  return `${lines.join('\n')}\n`
}

function formatCommand(command: ManifestCommand, commandLine: CommandLine): string[] {
  const takesServe = takesFlagsOfServe(command, commandLine.commands)
  const { examples = [] } = command
  return [
    `.SS "smsrelay ${escapeText(toCommandName(command))}"`,
    ...(command.summary === undefined ? [] : [escapeText(command.summary)]),
    ...listUsage(command).flatMap(line => ['.PP', `\\fB${escapeText(line)}\\fR`]),
    ...formatParagraphs(command.description ?? ''),
    ...Object.values(command.args).flatMap(({ name, description = '' }) =>
      formatTagged(name.toUpperCase(), description),
    ),
    ...(takesServe ? ['.PP', 'It takes the flags of smsrelay serve.'] : []),
    ...formatFlags(listOwnFlags(command, commandLine)),
    ...(examples.length === 0 ? [] : ['.PP', 'Examples:']),
    ...examples.flatMap(({ description, command: typed }) => [
      ...['.PP', escapeText(description), '.RS 4', '.nf'],
      ...escapeText(fillProgram(typed)).split('\n'),
      ...['.fi', '.RE'],
    ]),
  ]
}

function formatFlags(flags: readonly ManifestFlag[]): string[] {
  return flags.flatMap(flag => {
    const { description = '', options, env } = flag
    const value = formatDefault(flag)
    const notes = [
      options === undefined ? '' : ` One of: ${options.join(', ')}.`,
      value === undefined ? '' : ` Default: ${value}.`,
      env === undefined ? '' : ` Variable: ${env}.`,
    ]
    return formatTagged(formatFlag(flag), `${description}${notes.join('')}`)
  })
}

/** A tag of bold text, and its indented explanation. */
function formatTagged(tag: string, text: string): string[] {
  return ['.TP', `\\fB${escapeText(tag)}\\fR`, escapeText(text.replaceAll('\n', ' '))]
}

/** Paragraphs; lines of a list are kept apart. */
function formatParagraphs(text: string): string[] {
  return fillProgram(text)
    .split(/\n{2,}/)
    .filter(each => each !== '')
    .flatMap(each => {
      const lines = escapeText(each).split('\n')
      return /^\S+ {2,}\S/m.test(each) ? ['.PP', '.nf', ...lines, '.fi'] : ['.PP', ...lines]
    })
}

/** Escapes characters with a meaning in roff; a hyphen stays the ASCII one, for copying. */
function escapeText(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('"', '\\(dq')
    .replaceAll("'", '\\(aq')
    .replaceAll('`', '\\(ga')
    .replaceAll('^', '\\(ha')
    .replaceAll('~', '\\(ti')
    .replace(/[^\u0000-\u007f]/gu, character => `\\[u${toHex(character)}]`)
    .replace(/^\./gm, '\\&.')
}

function toHex(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
}
