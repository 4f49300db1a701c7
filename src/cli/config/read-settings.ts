import { dirname, resolve } from 'node:path'
import { errorText, isRelayError, type RelayError } from '../../errors.js'
import { readCertificate } from '../../net/tls/tls-certificate.js'
import { checkSettings } from '../../settings/check-settings.js'
import { type Setting, toFlagName, toVariable } from '../../settings/setting.js'
import {
  listSettings,
  type SettingName,
  type SettingValues,
  settings,
} from '../../settings/settings.js'
import type { Io } from '../terminal/io.js'
import { suggest } from '../terminal/suggest.js'
import { type ConfigEntry, readConfigFile, type SettingProblem } from './config-file.js'
import { readSecretFile, warnIfOpen } from './secret-file.js'

export type SettingOrigin =
  | { readonly kind: 'flag' | 'default' }
  | { readonly kind: 'environment'; readonly variable: string }
  | { readonly kind: 'file'; readonly file: string; readonly line: number }

export interface ParsedFlags {
  readonly flags: Readonly<Record<string, unknown>>
  readonly metadata: {
    readonly flags: Readonly<Record<string, { readonly setFromDefault?: boolean }>>
  }
  readonly raw: readonly { readonly type: string; readonly flag?: string }[]
}

/** Values that have a default have one here. */
type GivenValues = SettingValues & Required<Pick<SettingValues, 'email' | 'logLevel' | 'logFormat'>>

export interface ReadSettings {
  readonly values: GivenValues
  readonly fromFile: SettingValues
  readonly origins: ReadonlyMap<SettingName, SettingOrigin>
  /** All errors, of the file and of the values. */
  readonly problems: readonly SettingProblem[]
}

interface FileValue {
  readonly name: SettingName
  readonly value: unknown
  readonly line: number
}

const byDefault: SettingOrigin = { kind: 'default' }
/** Where the records of a relay are: one of them. A higher layer decides for both. */
const locations: readonly SettingName[] = ['data', 'database']
const mask = '***'

/**
 * Reads the settings of `serve` from all layers and checks them: flags that are parsed, with the
 * environment, secrets in files, and the configuration file. Throws `usage` if a file cannot be
 * read.
 */
export async function readSettings(
  parsed: ParsedFlags,
  io: Pick<Io, 'env' | 'stderr'>,
): Promise<ReadSettings> {
  const values: Record<string, unknown> = {}
  const origins = new Map<SettingName, SettingOrigin>()
  const isOpen = (name: SettingName): boolean => origins.get(name)?.kind === 'default'
  for (const [name, row] of listSettings()) {
    const value = parsed.flags[toFlagName(name)]
    values[name] = row.kind === 'list' ? splitTexts(value) : value
    origins.set(name, findOrigin(name, row, parsed))
    const variable = `${toVariable(name, row)}_FILE`
    const secret = row.isSecret && isOpen(name) ? await readSecretFile(io, variable) : undefined
    if (secret === undefined) continue
    values[name] = secret
    origins.set(name, { kind: 'environment', variable })
  }
  const fromFile: Record<string, unknown> = {}
  const problems: SettingProblem[] = []
  const path = parsed.flags.config
  if (typeof path === 'string') {
    const file = await readFileValues(path)
    problems.push(...file.problems)
    if (file.values.some(isSecret)) await warnIfOpen(path, io)
    const isLocated = !locations.every(isOpen)
    for (const { name, value, line } of file.values) {
      if (!isOpen(name) || (isLocated && locations.includes(name))) continue
      fromFile[name] = value
      origins.set(name, { kind: 'file', file: path, line })
    }
  }
  const all = { ...values, ...fromFile }
  for (const { name, error } of checkSettings(all).wrong) {
    problems.push(toProblem(error, name, origins.get(name)))
  }
  problems.sort((a, b) => (a.line ?? 0) - (b.line ?? 0))
  return { values: all as GivenValues, fromFile, origins, problems }
}

export async function findCertificateProblems(read: ReadSettings): Promise<SettingProblem[]> {
  const problems: SettingProblem[] = []
  for (const use of ['tls', 'smtp'] as const) {
    const { [`${use}Cert` as const]: cert, [`${use}Key` as const]: key } = read.values
    if (cert === undefined || key === undefined) continue
    try {
      await readCertificate({ cert, key })
    } catch (error) {
      if (!isRelayError(error)) throw error
      problems.push(toProblem(error, `${use}Cert`, read.origins.get(`${use}Cert`)))
    }
  }
  return problems
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

function isSecret({ name, value }: FileValue): boolean {
  const { isSecret }: Setting = settings[name] as Setting
  if (isSecret !== true || typeof value !== 'string') return false
  return !URL.canParse(value) || maskSecret(value) !== new URL(value).href
}

/** Repeated flags are a list; their variable, and each text of a list, can have commas. */
function splitTexts(value: unknown): readonly string[] | undefined {
  if (value === undefined) return undefined
  const texts = [value].flat().flatMap(each => String(each).split(','))
  return texts.map(each => each.trim()).filter(each => each !== '')
}

function findOrigin(
  name: SettingName,
  row: Setting,
  { flags, metadata, raw }: ParsedFlags,
): SettingOrigin {
  const flag = toFlagName(name)
  if (raw.some(token => token.type === 'flag' && token.flag === flag)) return { kind: 'flag' }
  if (flags[flag] === undefined || metadata.flags[flag]?.setFromDefault === true) return byDefault
  return { kind: 'environment', variable: toVariable(name, row) }
}

async function readFileValues(path: string) {
  const { entries, problems } = await readConfigFile(path)
  const wrong: SettingProblem[] = [...problems]
  const values: FileValue[] = []
  for (const { key, value, line } of entries) {
    try {
      const [name, row] = findSetting(key)
      values.push({ name, value: readValue(row, value, path), line })
    } catch (error) {
      wrong.push({ file: path, line, key, message: errorText(error) })
    }
  }
  const [, second] = values.filter(({ name }) => locations.includes(name))
  if (second !== undefined) {
    const message = 'A relay has a data directory or a database, not both.'
    const hint = 'Leave one of them out.'
    wrong.push({ file: path, line: second.line, key: second.name, message, hint })
  }
  return { values, problems: wrong }
}

function findSetting(key: ConfigEntry['key']): readonly [SettingName, Setting] {
  const found = listSettings().find(([name]) => toFlagName(name) === key)
  if (found !== undefined && key !== 'config') return found
  const known = Object.keys(settings).map(toFlagName)
  const near = suggest(key.replaceAll('_', '-'), known)
  const hint = near === undefined ? 'See smsrelay serve --help: keys are flags.' : undefined
  throw new Error(`There is no key ${key}. ${hint ?? `Did you mean ${near}?`}`)
}

function readValue({ kind, value: place = '', options }: Setting, value: unknown, file: string) {
  switch (kind) {
    case 'switch':
      if (typeof value === 'boolean') return value
      throw new Error('The value must be true or false, without quotes.')
    case 'integer':
      if (Number.isSafeInteger(value)) return value
      throw new Error('The value must be a whole number, without quotes.')
    case 'list':
      if (!Array.isArray(value)) throw new Error('The value must be a list, such as ["…", "…"].')
      return splitTexts(value.map(requireText))
    case 'any':
      return [value].flat().join(', ')
    default: {
      const text = requireText(value)
      if (options?.includes(text) === false) {
        throw new Error(`The value must be one of ${options.join(', ')}.`)
      }
      return /^(?:FILE|DIR)$/.test(place) && text !== '' ? resolve(dirname(file), text) : text
    }
  }
}

function requireText(value: unknown): string {
  if (typeof value === 'string') return value
  throw new Error('The value must be a text in quotes.')
}

/** Names the place of an error: where the setting is from. */
function toProblem(
  { message, hint }: RelayError,
  name: SettingName,
  origin: SettingOrigin | undefined = byDefault,
): SettingProblem {
  const { kind: _, ...place } = origin
  return { message, ...(hint === undefined ? {} : { hint }), ...place, key: toFlagName(name) }
}
