import { RelayError } from '../../../errors.js'
import { parseJson } from '../../../util/text/parse-json.js'
import {
  type DriverOptions,
  type Env,
  parseNumberOption,
  requireOption,
} from '../../driver-port/driver-options.js'
import { type Preset, presets } from './http-presets.js'
import {
  fillRequestTemplate,
  readTemplateEnvironment,
  type TemplateValues,
} from './request-template.js'
import { parseStatusMeanings, type StatusMeanings } from './status-rules.js'

/**
 * Body types of the http driver; with `query` the template becomes the query of a request without
 * body.
 */
const bodyTypes = ['json', 'form', 'query', 'text'] as const

export interface HttpSettings {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly type: (typeof bodyTypes)[number]
  readonly body: string
  /** Values for templates of the http driver that are the same for all texts. */
  readonly values: TemplateValues
  readonly success: { readonly path: string; readonly value?: string } | undefined
  readonly parts: string | undefined
  readonly meanings: StatusMeanings
  readonly unsure: 'unknown' | 'retry'
  /** Milliseconds. */
  readonly timeout: number
}

const messageNames = ['destination', 'digits', 'text', 'id', 'parts'] as const

/** Options of the http driver that are values for templates. */
export const valueNames = ['account', 'from', 'service', 'device', 'sim'] as const

/**
 * Parses the http driver's options over those of a preset, with secrets from `env`. Throws `usage`.
 */
export function parseHttpSettings(options: DriverOptions, env: Env): HttpSettings {
  const preset = findPreset(options)
  const values = readValues(options, env)
  const type = parseBodyType(options, preset)
  const url = buildUrl(options, preset)
  const body = options.body ?? chooseBody(preset, options)
  const headers = readHeaders(options, preset)
  const login = buildLogin(options, preset, values, env)
  const seconds = { min: 1, max: 600, unit: 'seconds' }
  return validateSettings({
    url,
    type,
    body,
    headers: { ...login, ...headers },
    values: { ...values, ...readSecrets({ url, body }, headers, Object.keys(values), env) },
    method: (options.method ?? (type === 'query' ? 'GET' : 'POST')).toUpperCase(),
    success: parseSuccessRule(options.success ?? preset?.success),
    parts: options.parts ?? preset?.parts,
    meanings: parseStatusMeanings({ ...preset?.statuses, ...pickStatusLists(options) }),
    unsure: parseUnsure(options, preset),
    timeout: (parseNumberOption(options, 'timeout', seconds) ?? 30) * 1000,
  })
}

/**
 * The environment variables that the http driver's templates use. Throws `usage` for unknown names.
 */
function readSecrets(
  { url, body }: { readonly url: string; readonly body: string },
  headers: Readonly<Record<string, string>>,
  names: readonly string[],
  env: Env,
): Record<string, string> {
  const inHeaders = ['destination', 'digits', 'id', 'parts', ...names]
  const secrets = {
    ...readTemplateEnvironment('url', url, [...messageNames, ...names], env),
    ...readTemplateEnvironment('body', body, [...messageNames, ...names], env),
  }
  for (const [name, value] of Object.entries(headers)) {
    Object.assign(secrets, readTemplateEnvironment(`header.${name}`, value, inHeaders, env))
  }
  return secrets
}

function findPreset({ preset }: DriverOptions): Preset | undefined {
  if (preset === undefined) return undefined
  if (Object.hasOwn(presets, preset)) return presets[preset]
  const known = Object.keys(presets).join(', ')
  throw new RelayError('usage', `There is no preset "${preset}".`, {
    hint: `Presets: ${known}.`,
  })
}

/** An option of the http driver may contain `{env:NAME}`. */
function readValues(options: DriverOptions, env: Env): Record<string, string> {
  const given = valueNames.flatMap(name => {
    const typed = options[name]
    if (typed === undefined) return []
    return [
      [
        name,
        fillRequestTemplate(typed, 'text', readTemplateEnvironment(name, typed, [], env)),
      ] as const,
    ]
  })
  return Object.fromEntries(given)
}

function buildUrl(options: DriverOptions, preset: Preset | undefined): string {
  if (preset === undefined)
    return requireOption(options, 'url', '--option url=https://sms.example.com/send')
  const base = options.url ?? preset.url
  if (base === undefined)
    return requireOption(options, 'url', '--option url=http://192.168.1.20:8080')
  return base.replace(/\/+$/, '') + preset.path
}

/**
 * The first body of the http driver's preset for which all values are given. Throws `usage` for a
 * missing one.
 */
function chooseBody(preset: Preset | undefined, options: DriverOptions): string {
  if (preset === undefined) return ''
  const findMissing = (template: string) =>
    valueNames.find(name => template.includes(`{${name}}`) && options[name] === undefined)
  const complete = preset.bodies.find(body => findMissing(body) === undefined)
  const name = findMissing(preset.path + (complete ?? preset.bodies.at(-1) ?? ''))
  if (name !== undefined) requireOption(options, name, `--option ${name}=${examples[name]}`)
  return complete ?? ''
}

const examples = {
  from: '+12025550100',
  account: 'AC00112233445566778899aabbccddeeff',
  service: 'MG0011',
  device: '65f0',
  sim: '1',
} as const

function parseBodyType(options: DriverOptions, preset: Preset | undefined): HttpSettings['type'] {
  const typed = options.type ?? preset?.type ?? 'json'
  const found = bodyTypes.find(each => each === typed)
  if (found !== undefined) return found
  throw new RelayError('usage', `type must be one of ${bodyTypes.join(', ')}; not "${typed}".`)
}

function readHeaders(options: DriverOptions, preset: Preset | undefined): Record<string, string> {
  const given = Object.entries(options).flatMap(([name, value]) =>
    name.startsWith('header.') ? [[name.slice(7), value] as const] : [],
  )
  const givenNames = new Set(given.map(([name]) => name.toLowerCase()))
  const known = Object.entries(preset?.headers ?? {}).filter(([name]) => !givenNames.has(name))
  return Object.fromEntries([...known, ...given])
}

/** The Authorization header of the http driver's user and password (RFC 7617). */
function buildLogin(
  options: DriverOptions,
  preset: Preset | undefined,
  values: TemplateValues,
  env: Env,
): Record<string, string> {
  const user = options.user ?? preset?.user
  if (user === undefined) return {}
  const password = options.password ?? preset?.password ?? '{env:SMSRELAY_HTTP_PASSWORD}'
  const fill = (name: string, template: string) => {
    const secrets = readTemplateEnvironment(name, template, Object.keys(values), env)
    return fillRequestTemplate(template, 'text', { ...values, ...secrets })
  }
  const pair = `${fill('user', user)}:${fill('password', password)}`
  return { Authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

function parseUnsure(
  { unsure }: DriverOptions,
  preset: Preset | undefined,
): HttpSettings['unsure'] {
  const typed = unsure ?? preset?.unsure ?? 'unknown'
  if (typed === 'unknown' || typed === 'retry') return typed
  throw new RelayError('usage', `unsure must be unknown or retry; not "${typed}".`)
}

function pickStatusLists(options: DriverOptions) {
  const names = ['sent', 'retry', 'fail', 'trouble', 'unknown'] as const
  return Object.fromEntries(
    names.flatMap(name => (options[name] === undefined ? [] : [[name, options[name]] as const])),
  )
}

function parseSuccessRule(typed: string | undefined): HttpSettings['success'] {
  if (typed === undefined) return undefined
  const at = typed.indexOf('=')
  return at < 0 ? { path: typed } : { path: typed.slice(0, at), value: typed.slice(at + 1) }
}

/**
 * Rejects settings of the http driver at the start with which every text would fail. Throws
 * `usage`.
 */
function validateSettings(settings: HttpSettings): HttpSettings {
  const { url, method, headers, type, body, values } = settings
  const sample = { destination: '+1', digits: '1', text: '"\\\n', id: 'a', parts: '1', ...values }
  if (!/^https?:\/\/[^/]/i.test(url) || !URL.canParse(fillRequestTemplate(url, 'url', sample))) {
    throw new RelayError('usage', 'url must be an address that begins with http:// or https://.')
  }
  if (!/^[A-Z]{1,16}$/.test(method))
    throw new RelayError('usage', `method must be an HTTP method such as POST; not "${method}".`)
  if (method === 'GET' && type !== 'query' && body !== '') {
    throw new RelayError('usage', 'A GET has no body: set type=query, or another method.')
  }
  for (const [name, template] of Object.entries(headers)) {
    const value = fillRequestTemplate(template, 'header', sample)
    if (/^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)) continue
    throw new RelayError('usage', `header.${name} is not a valid HTTP header.`)
  }
  if (
    type === 'json' &&
    body !== '' &&
    parseJson(fillRequestTemplate(body, 'json', sample)) === undefined
  ) {
    throw new RelayError(
      'usage',
      'body is not JSON with its values; put quotation marks around {text} and {destination}.',
    )
  }
  return settings
}
