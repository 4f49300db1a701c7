import { dirname, resolve } from 'node:path'
import type { FlagInput } from '@oclif/core/interfaces'
import { errorText } from '../../errors.js'
import { readSecretFile, warnIfOpen } from '../admin/secret-file.js'
import type { Io } from '../terminal/io.js'
import { suggest } from '../terminal/suggest.js'
import { type ConfigEntry, readConfigFile, type SettingProblem } from './config-file.js'

type Flag = FlagInput[string]

export type SettingOrigin =
  | { readonly kind: 'flag' | 'default' }
  | { readonly kind: 'environment'; readonly variable: string }
  | { readonly kind: 'file'; readonly file: string; readonly line: number }

export interface ParsedFlags<V> {
  readonly flags: V
  readonly metadata: {
    readonly flags: Readonly<
      Record<string, { readonly setFromDefault?: boolean; readonly defaultHelp?: unknown }>
    >
  }
  readonly raw: readonly { readonly type: string; readonly flag?: string }[]
}

export interface Settings<V> {
  readonly values: V
  readonly fromFile: Partial<V>
  readonly origins: ReadonlyMap<string, SettingOrigin>
  readonly problems: readonly SettingProblem[]
}

export const secretSettings: readonly string[] = ['database', 'mail-relay', 'metrics-token']

/** Where the records of a relay are: one of them. A higher layer decides for both. */
const locationSettings: readonly string[] = ['data', 'database']

const mask = '***'
const pathValues: readonly unknown[] = ['FILE', 'DIR']

/**
 * Adds the configuration file and secrets in files to parsed flags, which contain the environment.
 * Throws `usage` if a file cannot be read.
 */
export async function readSettings<V extends { readonly config?: string | undefined }>(
  parsed: ParsedFlags<V>,
  flags: Readonly<Record<string, Flag>>,
  io: Pick<Io, 'env' | 'stderr'>,
): Promise<Settings<V>> {
  const origins = new Map<string, SettingOrigin>()
  const values: Record<string, unknown> = { ...parsed.flags }
  for (const key of Object.keys(flags)) origins.set(key, findOrigin(key, flags[key], parsed))
  for (const key of secretSettings.filter(name => origins.get(name)?.kind === 'default')) {
    const variable = `${flags[key]?.env ?? ''}_FILE`
    const secret = await readSecretFile(io, variable)
    if (secret === undefined) continue
    values[key] = secret
    origins.set(key, { kind: 'environment', variable })
  }
  const { config } = parsed.flags
  if (config === undefined) return { values: values as V, fromFile: {}, origins, problems: [] }
  const { entries, problems } = await readConfigFile(config)
  const read = await readEntries(entries, flags, config)
  if (read.entries.some(isSecret)) await warnIfOpen(config, io)
  const places = read.entries.filter(({ key }) => locationSettings.includes(key))
  const isLocated = locationSettings.some(key => origins.get(key)?.kind !== 'default')
  const fromFile: Record<string, unknown> = {}
  for (const { key, value, line } of read.entries) {
    if (origins.get(key)?.kind !== 'default') continue
    if (isLocated && locationSettings.includes(key)) continue
    fromFile[key] = value
    origins.set(key, { kind: 'file', file: config, line })
  }
  return {
    values: { ...values, ...fromFile } as V,
    fromFile: fromFile as Partial<V>,
    origins,
    problems: [...problems, ...read.problems, ...findSecondPlace(places, config)],
  }
}

function isSecret({ key, value }: ConfigEntry): boolean {
  if (!secretSettings.includes(key) || typeof value !== 'string') return false
  return !URL.canParse(value) || maskSecret(value) !== new URL(value).href
}

/** Of a URL only the password is secret: after the user, or in the query of a database's URL. */
export function maskSecret(text: string): string {
  if (!text.includes('://') || !URL.canParse(text)) return mask
  const url = new URL(text)
  if (url.password !== '') url.password = mask
  for (const name of url.searchParams.keys()) {
    if (/password|secret|token/i.test(name)) url.searchParams.set(name, mask)
  }
  return url.href
}

function findOrigin(
  key: string,
  flag: Flag | undefined,
  { flags, metadata, raw }: ParsedFlags<object>,
): SettingOrigin {
  if (raw.some(token => token.type === 'flag' && token.flag === key)) return { kind: 'flag' }
  const isGiven = Object.hasOwn(flags, key) && metadata.flags[key]?.setFromDefault !== true
  if (!isGiven || flag?.env === undefined) return { kind: 'default' }
  return { kind: 'environment', variable: flag.env }
}

function findSecondPlace([, second]: readonly ConfigEntry[], file: string): SettingProblem[] {
  if (second === undefined) return []
  const { key, line } = second
  const message = 'A relay has a data directory or a database, not both.'
  return [{ file, line, key, message, hint: 'Leave one of them out.' }]
}

async function readEntries(
  given: readonly ConfigEntry[],
  flags: Readonly<Record<string, Flag>>,
  file: string,
): Promise<{ entries: ConfigEntry[]; problems: SettingProblem[] }> {
  const entries: ConfigEntry[] = []
  const problems: SettingProblem[] = []
  for (const { key, value, line } of given) {
    const flag = key === 'config' || !Object.hasOwn(flags, key) ? undefined : flags[key]
    try {
      if (flag === undefined) throw new Error(formatUnknownKey(key, Object.keys(flags)))
      const given = looseSettings.includes(key) ? [value].flat().join(', ') : value
      entries.push({ key, value: toPath(await readValue(flag, given), flag, file), line })
    } catch (error) {
      problems.push({ file, line, key, message: errorText(error) })
    }
  }
  return { entries, problems }
}

function formatUnknownKey(key: string, known: readonly string[]): string {
  const near = suggest(key.replaceAll('_', '-'), known)
  const hint = near === undefined ? 'See smsrelay serve --help: keys are flags.' : undefined
  return `There is no key ${key}. ${hint ?? `Did you mean ${near}?`}`
}

async function readValue(flag: Flag, value: unknown): Promise<unknown> {
  if (flag.type === 'boolean') {
    if (typeof value === 'boolean') return value
    throw new Error('The value must be true or false, without quotes.')
  }
  if (flag.multiple !== true) return await readText(flag, value)
  if (!Array.isArray(value)) throw new Error('The value must be a list, such as ["…", "…"].')
  return await Promise.all(value.map(async each => await readText(flag, each)))
}

/** Settings that are a number, a switch or a text. */
const looseSettings: readonly string[] = ['trust-proxy']

async function readText(flag: Flag & { type: 'option' }, value: unknown): Promise<unknown> {
  const parse = async (text: string): Promise<unknown> =>
    // The parser of a flag needs nothing of the command.
    await flag.parse?.(text, {} as never, flag as never)
  const isNumber = typeof (await parse('1')) === 'number'
  if (isNumber) {
    if (Number.isSafeInteger(value)) return await parse(String(value))
    throw new Error('The value must be a whole number, without quotes.')
  }
  if (typeof value !== 'string') throw new Error('The value must be a text in quotes.')
  const { options } = flag
  if (options === undefined || options.includes(value)) return await parse(value)
  throw new Error(`The value must be one of ${options.join(', ')}.`)
}

function toPath(value: unknown, flag: Flag, file: string): unknown {
  const isPath = flag.type === 'option' && pathValues.includes(flag.helpValue)
  return isPath && typeof value === 'string' && value !== '' ? resolve(dirname(file), value) : value
}
