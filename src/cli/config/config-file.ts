// The settings of `serve`, from four layers: a flag wins over the environment, the environment over
// the configuration file, and the file over the default. All come from the table in src/settings.
//
// 1. `serve-flags` makes the flags. `config-file` parses the file (TOML) to entries: key, value and
//    line.
// 2. `read-settings` joins the layers, notes where each value is from, and finds all errors.
// 3. `settings-view` shows all values with their origins, without secrets, and the errors.
// 4. At SIGHUP `reload-settings` reads them again and says what is different.
import { readFile } from 'node:fs/promises'
import { errorText, RelayError } from '../../errors.js'

export interface ConfigEntry {
  readonly key: string
  readonly value: unknown
  /** Line of the key in the configuration file, from 1. */
  readonly line: number
}

export interface SettingProblem {
  /** The configuration file; undefined for a flag, a variable or the settings together. */
  readonly file?: string
  readonly line?: number
  readonly key?: string
  readonly variable?: string
  readonly message: string
  readonly hint?: string
}

export interface ConfigFile {
  readonly path: string
  readonly entries: readonly ConfigEntry[]
  readonly problems: readonly SettingProblem[]
}

type Parse = (text: string) => Readonly<Record<string, unknown>>

/** More syntax errors are not looked for. */
const maxSyntaxErrors = 20

/** Reads and parses a configuration file; problems name its syntax errors. Throws `usage`. */
export async function readConfigFile(path: string): Promise<ConfigFile> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (cause) {
    throw new RelayError('usage', `The configuration file ${path} cannot be read.`, {
      hint: 'Name another with --config or SMSRELAY_CONFIG.',
      details: [errorText(cause)],
      cause,
    })
  }
  return await parseConfigFile(path, text)
}

/**
 * Parses the text of a configuration file. A line with a syntax error is left out, so that the
 * errors after it are found too.
 */
export async function parseConfigFile(path: string, text: string): Promise<ConfigFile> {
  const { parse, TomlError } = await import('smol-toml')
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  const problems: SettingProblem[] = []
  for (;;) {
    try {
      const values = Object.entries(parse(lines.join('\n')))
      const found = findLines(lines, parse)
      const entries = values.map(([key, value]) => ({ key, value, line: found.get(key) ?? 1 }))
      return { path, entries, problems }
    } catch (error) {
      if (!(error instanceof TomlError)) throw error
      const message = (error.message.split('\n')[0] ?? '').replace('Invalid TOML document: ', '')
      problems.push({ file: path, line: error.line, ...findKey(lines[error.line - 1]), message })
      if (problems.length >= maxSyntaxErrors) return { path, entries: [], problems }
      lines[error.line - 1] = ''
    }
  }
}

function findKey(line = ''): { key: string } | undefined {
  const [, key] = /^\s*"?([\w-]+)"?\s*=/.exec(line) ?? []
  return key === undefined ? undefined : { key }
}

/**
 * The line of each key: the parser does not tell it. A statement begins where the lines before it
 * are a complete document, and ends where they are one again, which then has its key.
 */
function findLines(lines: readonly string[], parse: Parse): Map<string, number> {
  const found = new Map<string, number>()
  let start = 0
  for (const [index] of lines.entries()) {
    const keys = tryToParse(lines.slice(0, index + 1).join('\n'), parse)
    if (keys === undefined) continue
    for (const key of keys) if (!found.has(key)) found.set(key, start + 1)
    start = index + 1
  }
  return found
}

function tryToParse(text: string, parse: Parse): string[] | undefined {
  try {
    return Object.keys(parse(text))
  } catch {
    return undefined
  }
}
